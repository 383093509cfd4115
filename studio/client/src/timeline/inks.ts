import { token } from "../core/theme";

/** Colours of the theme in the form that a canvas takes. */
export interface Inks {
  panel: string;
  line: string;
  text: string;
  muted: string;
  accent: string;
  bad: string;
  figures: string[];
  font: string;
}

const N_FIGURES = 8;

export function readInks(): Inks {
  return {
    panel: token("--panel"),
    line: token("--line"),
    text: token("--text"),
    muted: token("--muted"),
    accent: token("--accent"),
    bad: token("--bad"),
    figures: Array.from({ length: N_FIGURES }, (_, n) => token(`--figure-${n}`)),
    font: `${token("--font-size-small")} ${getComputedStyle(document.body).fontFamily}`,
  };
}

export function figureInk(inks: Inks, colour: number): string {
  return inks.figures[colour % N_FIGURES] ?? inks.accent;
}
