import { clamp } from "../core/numbers";

/** Height in metres of the person that the radii below are for; they are chosen by the names of joints. */
const REFERENCE_HEIGHT = 1.7;

const TRUNK = /spine|chest|torso|back|thorax|abdomen|hips$|pelvis|root/i;
const PARTS: [RegExp, number][] = [
  [/finger|thumb|index|middle|ring|pinky/i, 0.009],
  [/toe/i, 0.025],
  [/foot|ankle/i, 0.034],
  [/hand|wrist/i, 0.026],
  [/fore_?arm|lower_?arm|elbow|radius/i, 0.034],
  [/shoulder|clavicle|collar/i, 0.045],
  [/arm|humerus/i, 0.04],
  [/up_?leg|thigh|femur|hip(?!s)/i, 0.066],
  [/leg|knee|shin|tibia|calf/i, 0.047],
  [/head/i, 0.07],
  [/neck/i, 0.045],
  [TRUNK, 0.085],
];
/** From the trunk to a limb: hips to thigh, chest to collar. */
const BRANCH_RADIUS = 0.055;
const HEAD_RADIUS = 0.095;
/** Radius of a bone whose name does not tell, as a fraction of its length. */
const UNNAMED_FRACTION = 0.2;
const MIN_RADIUS = 0.008;
const STICK = { bone: 0.013, joint: 0.021, head: 0.075 };

/** Radii of a figure: of the bone that ends at each joint, and of the ball at the joint. */
export interface Shape {
  bones: Float32Array;
  joints: Float32Array;
}

export type ShapeName = "capsules" | "sticks";

/** The shape for a skeleton; `pose` (J, 3) gives the lengths of the bones, `height` the height of the person. */
export function shapeOf(
  name: ShapeName,
  names: string[],
  parents: number[],
  pose: Float32Array,
  height: number,
): Shape {
  const scale = height > 0 ? height / REFERENCE_HEIGHT : 1;
  if (name === "sticks") return withHead(sticks(parents, scale), names, parents, STICK.head * scale);
  const bones = new Float32Array(parents.length);
  const joints = new Float32Array(parents.length).fill(MIN_RADIUS * scale);
  parents.forEach((parent, child) => {
    if (parent < 0) return;
    const radius = boneRadius(names[parent]!, names[child]!) * scale;
    bones[child] = radius || clamp(UNNAMED_FRACTION * length(pose, parent, child), MIN_RADIUS * scale, 0.06 * scale);
    joints[child] = Math.max(joints[child]!, bones[child]);
    joints[parent] = Math.max(joints[parent]!, bones[child]);
  });
  return withHead({ bones, joints }, names, parents, HEAD_RADIUS * scale);
}

/** The shape without what lies outside of the driven joints: fingers and helpers that stay at rest, and the pole from a
 * root on the floor. `drivers` has the joint that drives each joint, or null. */
export function keepDriven({ bones, joints }: Shape, parents: number[], drivers: (string | null)[]): Shape {
  const isDriven = drivers.map((driver) => driver !== null);
  const [above, below] = [[...isDriven], [...isDriven]];
  parents.forEach((parent, n) => (above[n] ||= parent >= 0 && above[parent]!)); // parents come first
  for (let n = parents.length - 1; n > 0; n--) if (parents[n]! >= 0) below[parents[n]!] ||= below[n]!;
  const isKept = (n: number): boolean => above[n]! && below[n]!;
  return {
    bones: bones.map((radius, n) => (isKept(n) && parents[n]! >= 0 && isKept(parents[n]!) ? radius : 0)),
    joints: joints.map((radius, n) => (isKept(n) ? radius : 0)),
  };
}

/** The shape with a larger ball where the head ends. */
function withHead(shape: Shape, names: string[], parents: number[], radius: number): Shape {
  names.forEach((joint, n) => {
    if (/head/i.test(joint) && !parents.includes(n)) shape.joints[n] = radius;
  });
  return shape;
}

function sticks(parents: number[], scale: number): Shape {
  return {
    bones: new Float32Array(parents.length).fill(STICK.bone * scale),
    joints: new Float32Array(parents.length).fill(STICK.joint * scale),
  };
}

/** Radius of a bone by the name of its upper joint; 0 where the name does not tell. */
function boneRadius(upper: string, lower: string): number {
  if (TRUNK.test(upper) && !TRUNK.test(lower)) return BRANCH_RADIUS;
  return PARTS.find(([pattern]) => pattern.test(upper))?.[1] ?? 0;
}

function length(pose: Float32Array, a: number, b: number): number {
  return Math.hypot(
    pose[3 * a]! - pose[3 * b]!,
    pose[3 * a + 1]! - pose[3 * b + 1]!,
    pose[3 * a + 2]! - pose[3 * b + 2]!,
  );
}
