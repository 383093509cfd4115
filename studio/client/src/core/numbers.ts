/** Limit a value to a range; `min` wins where the bounds cross. */
export function clamp(value: number, min: number, max: number): number {
  return Math.max(Math.min(value, max), min);
}

/** Round to a number of decimals. */
export function roundTo(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}

/** A copy of the list with one entry replaced. */
export function replaceAt<T>(list: T[], index: number, value: T): T[] {
  return list.map((entry, n) => (n === index ? value : entry));
}

/** A copy of the list without one entry. */
export function removeAt<T>(list: T[], index: number): T[] {
  return list.filter((_, n) => n !== index);
}
