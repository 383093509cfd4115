import * as THREE from "three";
import type { Motion } from "../core/motion";

const MOST_POINTS = 2000;
const ABOVE_FLOOR = 0.004;

/** The way of the root over the ground. */
export class Path {
  readonly line: THREE.Line;

  constructor(motion: Motion) {
    const step = Math.max(1, Math.ceil(motion.nFrames / MOST_POINTS));
    const size = motion.nJoints * 3;
    const points: number[] = [];
    const height = motion.head.floor + ABOVE_FLOOR;
    const add = (frame: number): void => {
      points.push(motion.positions[frame * size]!, height, motion.positions[frame * size + 2]!);
    };
    for (let frame = 0; frame < motion.nFrames - 1; frame += step) add(frame);
    add(motion.nFrames - 1);
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.Float32BufferAttribute(points, 3));
    this.line = new THREE.Line(geometry, new THREE.LineBasicMaterial({ transparent: true }));
  }

  paint(colour: string, opacity: number): void {
    const material = this.line.material as THREE.LineBasicMaterial;
    material.color.set(colour);
    material.opacity = opacity;
  }

  dispose(): void {
    this.line.removeFromParent();
    this.line.geometry.dispose();
    (this.line.material as THREE.Material).dispose();
  }
}
