import * as THREE from "three";
import type { Motion } from "../core/motion";
import { token } from "../core/theme";
import { Body } from "./body";
import { shapeOf } from "./shape";

const OPACITY = 0.28;

/** Poses before and after the one that is shown, every few frames. They stay put while the figure passes through. */
export class Onion {
  readonly body: Body;
  private readonly pose: Float32Array;
  private drawn = "";

  constructor(
    readonly motion: Motion,
    private readonly most: number,
  ) {
    const { names, parents, height } = motion.head;
    const first = motion.positions.subarray(0, 3 * names.length);
    // Sticks whatever the figure is: a row of full bodies would hide it.
    this.body = new Body(parents, most, shapeOf("sticks", names, parents, first, height), "sticks");
    this.pose = new Float32Array(3 * names.length);
    this.recolour();
  }

  get group(): THREE.Group {
    return this.body.group;
  }

  recolour(): void {
    this.body.paint(token("--onion"), OPACITY);
  }

  /** Poses around a frame, every `step` frames, at most `most` of them. */
  show(frame: number, step: number, most: number): void {
    const count = Math.min(most, this.most);
    const middle = Math.round(frame / step);
    const key = `${middle} ${step} ${count}`;
    if (key === this.drawn) return;
    this.drawn = key;
    let shown = 0;
    for (let n = 0; n < count; n++) {
      const at = (middle + n - Math.floor(count / 2)) * step;
      if (at < 0 || at > this.motion.nFrames - 1) continue;
      this.motion.pose(at, this.pose);
      this.body.setPose(this.pose, shown++);
    }
    this.body.showPoses(shown);
  }

  dispose(): void {
    this.body.dispose();
  }
}
