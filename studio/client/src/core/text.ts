/** Sentences of the library start in lower case, since a file name often precedes them. */
export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A fraction as a whole percentage: 0.25 is "25 %". */
export function percent(fraction: number): string {
  return `${Math.round(100 * fraction)} %`;
}
