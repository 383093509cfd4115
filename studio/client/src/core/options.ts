// Written by `python -m release.write_options`; change `motionloom/options`, not this file.

import type { BlendRecipe, EnforceRecipe, LoopRecipe, RegistrationRecipe, SequenceRecipe, TransitionRecipe } from "./messages";

/** A field of a form: an option as it is declared. */
export interface OptionField {
  name: string;
  kind: "flag" | "choice" | "count" | "number" | "labels" | "factors" | "rows" | "frames" | "pins" | "pair" | "pairs" | "placement";
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

export const BLEND_FIELDS: readonly OptionField[] = [
  {"name": "place", "kind": "placement", "label": "Start at yaw, X, Z", "help": "Start at X, Z metres, facing YAW degrees (left is positive).", "usual": "where the clips start", "folded": true, "default": null, "optional": true, "words": {}, "min": null, "max": null, "step": null},
  {"name": "rate_law", "kind": "choice", "label": "Timing", "help": "Average playback rates (frequency), durations, or their squares (ballistic), which keeps gravity; auto averages rates, and keeps gravity in flights that all clips have.", "usual": "Gravity in flight", "folded": false, "default": "auto", "optional": false, "words": {"auto": "Gravity in flight", "frequency": "Average pace", "duration": "Average duration", "ballistic": "Gravity throughout"}, "min": null, "max": null, "step": null},
  {"name": "average", "kind": "choice", "label": "Rotations", "help": "How rotations are averaged.", "usual": "Fast average", "folded": false, "default": "nlerp", "optional": false, "words": {"nlerp": "Fast average", "karcher": "Exact average", "park": "One-step average"}, "min": null, "max": null, "step": null},
  {"name": "joint_weights", "kind": "rows", "label": "Weights of joints", "help": "Weights of single joints, one number for each clip.", "usual": "those of the clips", "folded": true, "default": null, "optional": true, "words": {}, "min": null, "max": null, "step": null},
  {"name": "start", "kind": "number", "label": "Start on the curve", "help": "Position on the registration curve at which the blend begins, in samples of the curve.", "usual": "the beginning", "folded": true, "default": null, "optional": true, "words": {}, "min": null, "max": null, "step": null},
  {"name": "duration", "kind": "number", "label": "Duration (s)", "help": "Maximum duration of the blend.", "usual": "to the end of the clips", "folded": false, "default": null, "optional": true, "words": {}, "min": 0.1, "max": null, "step": 0.1},
  {"name": "backward", "kind": "flag", "label": "Backward from the start", "help": "Make the motion that leads up to the start instead.", "usual": "", "folded": true, "default": false, "optional": false, "words": {}, "min": null, "max": null, "step": null},
  {"name": "integrator", "kind": "choice", "label": "Integrator", "help": "How positions on the curve follow from rates: exactly, or as in the papers, which drifts.", "usual": "Runge–Kutta", "folded": true, "default": "rk4", "optional": false, "words": {"rk4": "Runge–Kutta", "euler": "Euler (papers)"}, "min": null, "max": null, "step": null},
  {"name": "method", "kind": "choice", "label": "Method", "help": "Blend along the registration curve, or linearly in time for comparison.", "usual": "Registration", "folded": false, "default": "registration", "optional": false, "words": {"registration": "Registration", "linear": "Linear (for comparison)"}, "min": null, "max": null, "step": null},
  {"name": "linear_root", "kind": "choice", "label": "Linear root", "help": "For method linear: average the clips' root positions, or their velocities over the ground.", "usual": "Positions", "folded": true, "default": "positions", "optional": false, "words": {"positions": "Positions", "velocities": "Velocities"}, "min": null, "max": null, "step": null},
  {"name": "linear_rotations", "kind": "choice", "label": "Linear rotations", "help": "For method linear: average quaternions, Euler angles or rotation vectors.", "usual": "Quaternions", "folded": true, "default": "quaternion", "optional": false, "words": {"quaternion": "Quaternions", "euler": "Euler angles", "log": "Rotation vectors"}, "min": null, "max": null, "step": null},
  {"name": "linear_constraints", "kind": "choice", "label": "Linear constraints", "help": "For method linear: take the constraints of the clip with the largest weight at each frame, or of the first of two clips up to the middle and of the second from there.", "usual": "Of the heaviest clip", "folded": true, "default": "heaviest", "optional": false, "words": {"heaviest": "Of the heaviest clip", "halves": "Of either half"}, "min": null, "max": null, "step": null},
  {"name": "repeat", "kind": "flag", "label": "Repeat clips that end", "help": "Begin again when the clips end, from where the body is, until the duration is over.", "usual": "", "folded": true, "default": false, "optional": false, "words": {}, "min": null, "max": null, "step": null},
];

export const BLEND_DEFAULTS = {
  "place": null,
  "rate_law": "auto",
  "average": "nlerp",
  "joint_weights": null,
  "start": null,
  "duration": null,
  "backward": false,
  "integrator": "rk4",
  "method": "registration",
  "linear_root": "positions",
  "linear_rotations": "quaternion",
  "linear_constraints": "heaviest",
  "repeat": false
} satisfies Partial<BlendRecipe>;

export const TRANSITION_FIELDS: readonly OptionField[] = [
  {"name": "half_width", "kind": "number", "label": "Half width (s)", "help": "Half the duration of the transition: from its start to its centre.", "usual": "one stride, or 0.25 without a gait", "folded": false, "default": null, "optional": true, "words": {}, "min": 0.05, "max": 600.0, "step": 0.05},
  {"name": "method", "kind": "choice", "label": "Method", "help": "How to make the transition: along a registration curve, by cross-fade, by inertialization, by dead blending, or by laying the end of the first clip over the start of the second.", "usual": "Registration", "folded": false, "default": "registration", "optional": false, "words": {"registration": "Registration", "linear": "Linear", "inertialize": "Inertialization", "dead": "Dead blending", "overlap": "Overlap"}, "min": null, "max": null, "step": null},
  {"name": "alignment", "kind": "choice", "label": "Time alignment", "help": "For method registration: windowed grows the time alignment from the centre, for clips that are unlike away from it.", "usual": "From end to end", "folded": false, "default": "auto", "optional": false, "words": {"auto": "From end to end", "windowed": "Window by window"}, "min": null, "max": null, "step": null},
  {"name": "snap", "kind": "flag", "label": "Start and end at whole frames", "help": "Keep the frames before and after the transition as they are.", "usual": "", "folded": true, "default": true, "optional": false, "words": {}, "min": null, "max": null, "step": null},
  {"name": "loop", "kind": "flag", "label": "Loop clips that are too short", "help": "Repeat clips that are too short, after closing them to loops if they are not cyclic.", "usual": "", "folded": false, "default": false, "optional": false, "words": {}, "min": null, "max": null, "step": null},
  {"name": "plant", "kind": "flag", "label": "Plant feet", "help": "Keep planted feet in place.", "usual": "", "folded": false, "default": false, "optional": false, "words": {}, "min": null, "max": null, "step": null},
  {"name": "overlap", "kind": "pair", "label": "Overlap (s)", "help": "For method overlap: seconds at the end of the first clip and at the start of the second.", "usual": "", "folded": true, "default": null, "optional": true, "words": {}, "min": null, "max": null, "step": null},
  {"name": "correspondences", "kind": "pairs", "label": "Coinciding times (s)", "help": "For method overlap: times of both clips, in seconds, that must coincide.", "usual": "", "folded": true, "default": [], "optional": false, "words": {}, "min": null, "max": null, "step": null},
];

export const TRANSITION_DEFAULTS = {
  "at": null,
  "keep": null,
  "half_width": null,
  "method": "registration",
  "alignment": "auto",
  "snap": true,
  "loop": false,
  "plant": false,
  "overlap": null,
  "correspondences": []
} satisfies Partial<TransitionRecipe>;

export const SEQUENCE_FIELDS: readonly OptionField[] = [
  {"name": "at", "kind": "pairs", "label": "Meeting frames", "help": "Frames of two neighbours at the centre of their transition, for each transition in order.", "usual": "similar frames, late in each clip and early in the next", "folded": true, "default": [], "optional": false, "words": {}, "min": null, "max": null, "step": null},
  {"name": "keep", "kind": "number", "label": "Keep at least", "help": "How much of each clip must play, if frames are chosen: a fraction, or all of it.", "usual": "0.75, or less if the clips are too short", "folded": true, "default": null, "optional": true, "words": {"all": "all"}, "min": 0.0, "max": 1.0, "step": null},
  {"name": "half_width", "kind": "number", "label": "Half width (s)", "help": "Half the duration of the transition: from its start to its centre.", "usual": "one stride, or 0.25 without a gait", "folded": false, "default": null, "optional": true, "words": {}, "min": 0.05, "max": 600.0, "step": 0.05},
  {"name": "method", "kind": "choice", "label": "Method", "help": "How to make transitions: along a registration curve, by cross-fade, by inertialization, by dead blending, or by laying the end of each clip over the start of the next.", "usual": "Registration", "folded": false, "default": "registration", "optional": false, "words": {"registration": "Registration", "linear": "Linear", "inertialize": "Inertialization", "dead": "Dead blending", "overlap": "Overlap"}, "min": null, "max": null, "step": null},
  {"name": "alignment", "kind": "choice", "label": "Time alignment", "help": "For method registration: windowed grows the time alignment from the centre, for clips that are unlike away from it.", "usual": "From end to end", "folded": true, "default": "auto", "optional": false, "words": {"auto": "From end to end", "windowed": "Window by window"}, "min": null, "max": null, "step": null},
  {"name": "loop", "kind": "flag", "label": "Loop clips that are too short", "help": "Repeat clips that are too short, after closing them to loops if they are not cyclic.", "usual": "", "folded": true, "default": false, "optional": false, "words": {}, "min": null, "max": null, "step": null},
  {"name": "plant", "kind": "flag", "label": "Plant feet", "help": "Keep planted feet in place.", "usual": "", "folded": false, "default": false, "optional": false, "words": {}, "min": null, "max": null, "step": null},
  {"name": "overlap", "kind": "pair", "label": "Overlap (s)", "help": "For method overlap: seconds at the end of each clip and at the start of the next.", "usual": "", "folded": true, "default": null, "optional": true, "words": {}, "min": null, "max": null, "step": null},
];

export const SEQUENCE_DEFAULTS = {
  "at": [],
  "keep": null,
  "half_width": null,
  "method": "registration",
  "alignment": "auto",
  "loop": false,
  "plant": false,
  "overlap": null
} satisfies Partial<SequenceRecipe>;

export const ENFORCE_FIELDS: readonly OptionField[] = [
  {"name": "ground", "kind": "number", "label": "Floor height (m)", "help": "Height of a level floor.", "usual": "detected", "folded": false, "default": null, "optional": true, "words": {}, "min": null, "max": null, "step": 0.01},
  {"name": "stretch", "kind": "number", "label": "Bone stretch", "help": "Maximum change of bone lengths, as a fraction of them; 0 keeps bones rigid.", "usual": "0.026", "folded": false, "default": null, "optional": true, "words": {}, "min": 0.0, "max": 0.999, "step": 0.001},
  {"name": "blend_duration", "kind": "number", "label": "Ease (s)", "help": "Time over which corrections ease into neighbouring frames.", "usual": "0.25", "folded": true, "default": null, "optional": true, "words": {}, "min": 0.0, "max": null, "step": 0.05},
];

export const ENFORCE_DEFAULTS = {
  "ground": null,
  "stretch": null,
  "blend_duration": null
} satisfies Partial<EnforceRecipe>;

export const LOOP_FIELDS: readonly OptionField[] = [
  {"name": "seam_limit", "kind": "number", "label": "Seam limit (m)", "help": "Maximum distance between the poses at both ends before the loop is closed.", "usual": "a tenth of the body's radius", "folded": true, "default": null, "optional": true, "words": {}, "min": 0.0, "max": null, "step": 0.01},
  {"name": "window", "kind": "number", "label": "Window (s)", "help": "Motion before and after an end that is compared together with it.", "usual": "1/15", "folded": true, "default": null, "optional": true, "words": {}, "min": 0.0, "max": 2.0, "step": 0.01},
  {"name": "ease", "kind": "number", "label": "Ease (s)", "help": "How long the correction takes to fade out on either side of the seam.", "usual": "0.5", "folded": true, "default": null, "optional": true, "words": {}, "min": 0.0, "max": null, "step": 0.05},
];

export const LOOP_DEFAULTS = {
  "cycles": null,
  "near": null,
  "seam_limit": null,
  "window": null,
  "ease": null
} satisfies Partial<LoopRecipe>;
