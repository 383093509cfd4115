/** A value kept between two bounds; the lower one wins where they cross. */
export function within(value: number, least: number, most: number): number {
  return Math.max(Math.min(value, most), least);
}

/** The list with one entry replaced. */
export function replaced<T>(list: T[], index: number, value: T): T[] {
  return list.map((entry, n) => (n === index ? value : entry));
}

/** The list without one entry. */
export function without<T>(list: T[], index: number): T[] {
  return list.filter((_, n) => n !== index);
}
