import * as THREE from "three";
import type { ViewerClip } from "../core/messages";
import { token } from "../core/theme";
import { Body, type Roundness } from "../viewport/body";
import { MAX_ONION_POSES } from "../viewport/detail";
import { Onion } from "../viewport/onion";
import { Path } from "../viewport/path";
import { Plants } from "../viewport/plants";
import type { View } from "../viewport/settings";
import { type ShapeName, shapeOf } from "../viewport/shape";
import type { ViewerMotion } from "./unpacking";

/** Colours of figures in tokens.css. */
const N_COLOURS = 8;
const FADED = 0.3;
/** Metres from the top of a figure to the label above it. */
const LABEL_GAP = 0.16;

/** A clip in the scene: body, path, plants and earlier and later poses, which are moved together. */
export class Actor {
  readonly group = new THREE.Group();
  /** All parts; a figure in place moves it against its travel. */
  private readonly content = new THREE.Group();
  readonly body: Body;
  readonly pose: Float32Array;
  frame = 0;
  private readonly path: Path;
  private readonly plants: Plants | null;
  private onion: Onion | null = null;
  private shape: ShapeName;
  private isFaded = false;

  constructor(
    readonly clip: ViewerClip,
    readonly motion: ViewerMotion,
    readonly index: number,
    shape: ShapeName,
    roundness?: Roundness,
  ) {
    this.shape = shape;
    this.pose = new Float32Array(3 * motion.nJoints);
    this.body = new Body(motion.header.parents, 1, this.shapeFor(shape), shape, roundness);
    this.path = new Path(motion);
    this.plants = motion.header.plants.length > 0 ? new Plants(motion) : null;
    this.content.add(this.body.group, this.path.line, ...(this.plants ? [this.plants.group] : []));
    this.group.add(this.content);
    this.recolour();
  }

  /** The custom property with the colour of the figure. */
  get colour(): string {
    return `--figure-${this.index % N_COLOURS}`;
  }

  /** Put the start of the motion at a place on the ground, x and z, with a heading. */
  placeStart(x: number, z: number, yaw: number): void {
    const [startX, startZ, startYaw] = this.clip.start;
    const turn = yaw - startYaw;
    this.group.rotation.y = turn;
    const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
    this.group.position.set(x - cosine * startX - sine * startZ, 0, z + sine * startX - cosine * startZ);
    this.group.updateMatrixWorld();
  }

  /** Draw what the settings ask for; the earlier and later poses of the selected figure only. */
  apply(view: Readonly<View>, shape: ShapeName, isSelected: boolean): void {
    if (shape !== this.shape) this.body.reshape(this.shapeFor(shape), shape);
    this.shape = shape;
    this.path.line.visible = view.path;
    if (this.plants) this.plants.group.visible = view.plants;
    const hasOnion = view.onion && isSelected;
    if (hasOnion && !this.onion) {
      this.onion = new Onion(this.motion, MAX_ONION_POSES);
      this.content.add(this.onion.group);
    }
    if (this.onion) this.onion.group.visible = hasOnion;
  }

  /** Pose the figure at a time; a clip that has ended holds its last pose. */
  show(seconds: number, view: Readonly<View>, onionPoses: number): void {
    this.frame = this.motion.frameAt(seconds);
    this.motion.pose(this.frame, this.pose);
    this.body.setPose(this.pose);
    const [x, z] = this.clip.start;
    if (view.inPlace && Number.isFinite(this.pose[0]))
      this.content.position.set(x - this.pose[0]!, 0, z - this.pose[2]!);
    else this.content.position.set(0, 0, 0);
    this.group.updateMatrixWorld();
    if (this.plants?.group.visible) this.plants.show(this.frame);
    if (this.onion?.group.visible) this.onion.show(this.frame, view.onionStep, onionPoses);
  }

  fade(isFaded: boolean): void {
    this.isFaded = isFaded;
    this.recolour();
  }

  recolour(): void {
    const colour = token(this.colour);
    this.body.paint(colour, this.isFaded ? FADED : 1);
    this.path.paint(colour, this.isFaded ? 0.4 : 1);
    this.plants?.recolour(colour);
    this.onion?.recolour();
  }

  /** Extend a box by the present pose. */
  extend(box: THREE.Box3): void {
    const point = new THREE.Vector3();
    for (let n = 0; n < this.pose.length; n += 3) {
      if (!Number.isFinite(this.pose[n])) continue;
      box.expandByPoint(point.fromArray(this.pose, n).applyMatrix4(this.content.matrixWorld));
    }
  }

  /** Where the root is, or the first point that is seen. */
  root(): THREE.Vector3 {
    let at = 0;
    while (at + 3 < this.pose.length && !Number.isFinite(this.pose[at])) at += 3;
    const root = new THREE.Vector3().fromArray(this.pose, at);
    return Number.isFinite(root.x) ? root.applyMatrix4(this.content.matrixWorld) : this.group.position.clone();
  }

  /** Where a label above the figure goes. */
  above(): THREE.Vector3 {
    const box = new THREE.Box3();
    this.extend(box);
    const top = this.root();
    return box.isEmpty() ? top : top.setY(box.max.y + LABEL_GAP);
  }

  dispose(): void {
    this.group.removeFromParent();
    this.body.dispose();
    this.path.dispose();
    this.plants?.dispose();
    this.onion?.dispose();
  }

  private shapeFor(shape: ShapeName) {
    const { names, parents, height } = this.motion.header;
    return shapeOf(shape, names, parents, this.motion.positions.subarray(0, 3 * names.length), height);
  }
}
