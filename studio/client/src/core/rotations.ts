export type Vector = [number, number, number];
/** A unit quaternion, w first. */
export type Quaternion = [number, number, number, number];

/** The rotation of a rotation vector in radians. */
export function exp([x, y, z]: Vector): Quaternion {
  const angle = Math.hypot(x, y, z);
  const scale = angle < 1e-9 ? 0.5 : Math.sin(angle / 2) / angle;
  return [Math.cos(angle / 2), scale * x, scale * y, scale * z];
}

/** The shortest rotation vector of a rotation, in radians. */
export function log(rotation: Quaternion): Vector {
  const sign = rotation[0] < 0 ? -1 : 1;
  const [w, x, y, z] = rotation.map((value) => sign * value) as Quaternion;
  const sine = Math.hypot(x, y, z);
  const scale = sine < 1e-9 ? 2 : (2 * Math.atan2(sine, w)) / sine;
  return [scale * x, scale * y, scale * z];
}

/** The rotation `b` followed by `a`, in a common frame. */
export function multiply([a, b, c, d]: Quaternion, [e, f, g, h]: Quaternion): Quaternion {
  return [
    a * e - b * f - c * g - d * h,
    a * f + b * e + c * h - d * g,
    a * g - b * h + c * e + d * f,
    a * h + b * g - c * f + d * e,
  ];
}

export function inverse([w, x, y, z]: Quaternion): Quaternion {
  return [w, -x, -y, -z];
}

/** A vector, rotated. */
export function rotate(rotation: Quaternion, [x, y, z]: Vector): Vector {
  const [, ...turned] = multiply(multiply(rotation, [0, x, y, z]), inverse(rotation));
  return turned;
}
