import { token } from "../core/theme";

/** Colours of the theme, for drawing on a canvas. */
export interface Colours {
  panel: string;
  line: string;
  text: string;
  muted: string;
  accent: string;
  bad: string;
  figures: string[];
  font: string;
}

/** Colours of figures in the theme: `--figure-0` and on. */
const N_FIGURES = 16;

export function readColours(): Colours {
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

export function figureColour(colours: Colours, colour: number): string {
  return colours.figures[colour % N_FIGURES] ?? colours.accent;
}
