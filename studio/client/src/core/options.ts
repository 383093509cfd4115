// Written by `python -m release.write_options`; change `motionloom/options`, not this file.

import type { RegistrationRecipe } from "./messages";

/** A field of a form: an option as it is declared. */
export interface OptionField {
  name: string;
  kind: "flag" | "choice" | "count" | "number" | "labels" | "frames" | "pair" | "pairs" | "placement";
  label: string;
  help: string;
  /** What an empty field stands for. */
  usual: string;
  /** Whether few people need it. */
  folded: boolean;
  /** The value of a field that nobody filled in; null leaves the choice to the library. */
  default: unknown;
  /** Whether the default is null. */
  optional: boolean;
  /** Words that are values, each with its label. */
  words: Record<string, string>;
  min: number | null;
  max: number | null;
  step: number | null;
}

export const REGISTRATION_FIELDS: readonly OptionField[] = [
  {"name": "cut", "kind": "choice", "label": "Clip range", "help": "Cut the clips first: to the same strides, to one closed loop each, to the part they have in common, or not at all; auto cuts steady gaits to strides and takes other clips whole, or by parts where whole clips do not fit.", "usual": "Automatic", "folded": false, "default": "auto", "optional": false, "words": {"auto": "Automatic", "strides": "Same strides", "loops": "One cycle, looped", "parts": "Shared part", "whole": "Whole clips"}, "min": null, "max": null, "step": null},
  {"name": "profile", "kind": "choice", "label": "Profile", "help": "Start from Motionloom's settings, or from those of the paper or the thesis.", "usual": "Default", "folded": false, "default": "default", "optional": false, "words": {"default": "Default", "paper": "As in the paper", "thesis": "As in the thesis"}, "min": null, "max": null, "step": null},
  {"name": "slope_limit", "kind": "count", "label": "Slope limit", "help": "Maximum number of frames of one clip that correspond to one frame of another.", "usual": "3", "folded": false, "default": null, "optional": true, "words": {}, "min": 1, "max": null, "step": 1},
  {"name": "window", "kind": "number", "label": "Window (s)", "help": "Motion before and after a frame that is compared together with it.", "usual": "1/15", "folded": false, "default": null, "optional": true, "words": {}, "min": 0.0, "max": 2.0, "step": 0.01},
  {"name": "points", "kind": "count", "label": "Points compared", "help": "Number of points, spread over the body, whose positions are compared; joints: all joints and bone tips.", "usual": "joints", "folded": true, "default": null, "optional": true, "words": {"joints": "joints"}, "min": 1, "max": 100000, "step": 1},
  {"name": "speed_weight", "kind": "number", "label": "Speed weight", "help": "Weight of speeds against poses in the distance; 0 compares poses only.", "usual": "1", "folded": true, "default": null, "optional": true, "words": {}, "min": 0.0, "max": 1000000.0, "step": 0.1},
  {"name": "start", "kind": "frames", "label": "Start frames", "help": "Frame of each clip at which they start to correspond; corners: the first ones; free: anywhere.", "usual": "auto", "folded": true, "default": null, "optional": true, "words": {"auto": "auto", "corners": "corners", "free": "free"}, "min": null, "max": null, "step": null},
  {"name": "end", "kind": "frames", "label": "End frames", "help": "Frame of each clip at which they stop corresponding; corners: the last ones; free: anywhere.", "usual": "auto", "folded": true, "default": null, "optional": true, "words": {"auto": "auto", "corners": "corners", "free": "free"}, "min": null, "max": null, "step": null},
  {"name": "events", "kind": "labels", "label": "Events", "help": "Labels of events that must correspond, if all clips have the same sequence of them; beside start, end and pins only labels that are named count.", "usual": "strike", "folded": true, "default": null, "optional": true, "words": {}, "min": null, "max": null, "step": null},
  {"name": "alignment", "kind": "choice", "label": "Time alignment", "help": "Align times as well as possible from end to end, or in windows, for clips that agree in parts.", "usual": "From end to end", "folded": false, "default": "auto", "optional": false, "words": {"auto": "From end to end", "windowed": "Window by window"}, "min": null, "max": null, "step": null},
  {"name": "stiffness", "kind": "number", "label": "Stiffness", "help": "Resistance to rate changes where many frames look alike; 0 follows the raw path.", "usual": "5", "folded": true, "default": null, "optional": true, "words": {}, "min": 0.0, "max": 1000000.0, "step": 0.5},
  {"name": "min_rate", "kind": "number", "label": "Minimum rate", "help": "Minimum playback rate of a clip relative to another.", "usual": "1 / (2 · slope limit)", "folded": true, "default": null, "optional": true, "words": {}, "min": 0.0, "max": null, "step": 0.01},
  {"name": "knot_spacing", "kind": "number", "label": "Knot spacing (s)", "help": "Distance between the knots of the fitted curves.", "usual": "0.1", "folded": true, "default": null, "optional": true, "words": {}, "min": 0.01, "max": 10000.0, "step": 0.01},
  {"name": "smoothing", "kind": "count", "label": "Smoothing", "help": "Width of the median filter on the alignment, in samples; an odd number.", "usual": "1, none", "folded": true, "default": null, "optional": true, "words": {}, "min": 1, "max": 100001, "step": 2},
  {"name": "reference", "kind": "count", "label": "Reference clip", "help": "Clip that the others are registered to, counted from 0.", "usual": "the clip closest to all others", "folded": true, "default": null, "optional": true, "words": {}, "min": 0, "max": null, "step": 1},
  {"name": "form", "kind": "choice", "label": "Alignment rule", "help": "Rule of the time alignment: the same from either end, or that of the thesis.", "usual": "Reversible", "folded": true, "default": null, "optional": true, "words": {"reversible": "Reversible", "thesis": "As in the thesis"}, "min": null, "max": null, "step": null},
  {"name": "fit", "kind": "choice", "label": "Curve fit", "help": "How the timewarp curve is fitted: exactly, by nudging (thesis) or as in the paper's appendix.", "usual": "Exact", "folded": true, "default": null, "optional": true, "words": {"exact": "Exact", "nudge": "Nudged (thesis)", "appendix": "Appendix (paper)"}, "min": null, "max": null, "step": null},
];

export const REGISTRATION_DEFAULTS = {
  "cut": "auto",
  "profile": "default",
  "slope_limit": null,
  "window": null,
  "points": null,
  "joint_weights": null,
  "speed_weight": null,
  "start": null,
  "end": null,
  "pins": [],
  "events": null,
  "alignment": "auto",
  "stiffness": null,
  "min_rate": null,
  "knot_spacing": null,
  "smoothing": null,
  "reference": null,
  "form": null,
  "fit": null
} satisfies Partial<RegistrationRecipe>;
