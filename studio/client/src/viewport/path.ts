import * as THREE from "three";
import type { FigureHeader } from "../core/messages";
import type { Motion } from "../core/motion";

const MAX_PATH_POINTS = 2000;
const PATH_HEIGHT = 0.004;

/** The path of the root on the ground. */
export class Path {
  readonly line: THREE.Line;

  constructor(motion: Motion<FigureHeader>) {
    const step = Math.max(1, Math.ceil(motion.nFrames / MAX_PATH_POINTS));
    const size = motion.nJoints * 3;
    const points: number[] = [];
    const height = motion.header.floor + PATH_HEIGHT;
    const add = (frame: number): void => {
      const at = frame * size + 3 * motion.root;
      const [x, z] = [motion.positions[at]!, motion.positions[at + 2]!];
      if (Number.isFinite(x + z)) points.push(x, height, z);
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
