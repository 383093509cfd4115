import * as THREE from "three";
import type { FigureHeader } from "../core/messages";
import type { Motion } from "../core/motion";
import { token } from "../core/theme";
import { Body } from "./body";
import { shapeOf } from "./shape";

const OPACITY = 0.28;

/** Poses before and after the present one, every few frames. They stay in place while the figure moves through them. */
export class Onion {
  readonly body: Body;
  private readonly pose: Float32Array;
  private drawn = "";

  constructor(
    readonly motion: Motion<FigureHeader>,
    private readonly maxPoses: number,
  ) {
    const { names, parents, height } = motion.header;
    const first = motion.positions.subarray(0, 3 * names.length);
    // Always stick figures: a row of bodies would hide the figure.
    this.body = new Body(parents, maxPoses, shapeOf("sticks", names, parents, first, height), "sticks");
    this.pose = new Float32Array(3 * names.length);
    this.recolour();
  }

  get group(): THREE.Group {
    return this.body.group;
  }

  recolour(): void {
    this.body.paint(token("--onion"), OPACITY);
  }

  /** Show poses around a frame, every `step` frames, at most `maxPoses` of them. */
  show(frame: number, step: number, maxPoses: number): void {
    const count = Math.min(maxPoses, this.maxPoses);
    const middle = Math.round(frame / step);
    const key = `${middle} ${step} ${count}`;
    if (key === this.drawn) return;
    this.drawn = key;
    let shown = 0;
    for (let n = 0; n < count; n++) {
      const at = (middle + n - Math.floor(count / 2)) * step;
      if (at < 0 || at > this.motion.nFrames - 1) continue;
      this.motion.pose(at, this.pose);
      this.body.setPose(this.pose, null, shown++);
    }
    this.body.showPoses(shown);
  }

  dispose(): void {
    this.body.dispose();
  }
}
