// Written by `python -m motionloom.studio.typescript`; change the dataclasses, not this file.

/** A motion file in the project's folder; ``path`` is relative to it, with forward slashes. */
export interface FileRecipe {
  type: "file";
  path: string;
}

/** A built-in motion with its options, as ``motionloom synthesize`` names them (turns in degrees). */
export interface MotionRecipe {
  type: "motion";
  motion: string;
  options: Record<string, number | string>;
}

/** Weights of all clips at a time of the blend. */
export interface WeightKey {
  time: number;
  weights: number[];
}

/** How clips are registered before they are blended. */
export interface RegistrationRecipe {
  cut: "auto" | "strides" | "loops" | "parts" | "whole";
  profile: "default" | "paper" | "thesis";
  slope_limit: number | null;
  window: number | null;
  points: number | "joints" | null;
  joint_weights: Record<string, number> | null;
  speed_weight: number | null;
  start: number[] | "auto" | "corners" | "free" | null;
  end: number[] | "auto" | "corners" | "free" | null;
  pins: number[][];
  events: string[] | null;
  alignment: "auto" | "windowed";
  stiffness: number | null;
  min_rate: number | null;
  knot_spacing: number | null;
  smoothing: number | null;
  reference: number | null;
  form: "reversible" | "thesis" | null;
  fit: "exact" | "nudge" | "appendix" | null;
}

/** A blend of two clips or more: constant ``weights``, or ``keys`` of weights over time in their place. */
export interface BlendRecipe {
  place: [number, number, number] | null;
  rate_law: "auto" | "frequency" | "duration" | "ballistic";
  average: "nlerp" | "karcher" | "park";
  joint_weights: Record<string, number[]> | null;
  start: number | null;
  duration: number | null;
  backward: boolean;
  integrator: "rk4" | "euler";
  method: "registration" | "linear";
  linear_root: "positions" | "velocities";
  linear_rotations: "quaternion" | "euler" | "log";
  linear_constraints: "heaviest" | "halves";
  repeat: boolean;
  type: "blend";
  sources: string[];
  weights: number[];
  keys: WeightKey[];
  easing: "smooth" | "linear" | "hold";
  parts: Record<string, number[]> | null;
  plant: boolean;
  in_place: boolean;
  allow_unfit: boolean;
  registration: RegistrationRecipe;
}

/** From one clip to another; ``at`` are the frames that meet in the middle, None finds them. */
export interface TransitionRecipe {
  at: [number, number] | null;
  keep: number | null;
  half_width: number | null;
  method: "registration" | "linear" | "inertialize" | "dead" | "overlap";
  alignment: "auto" | "windowed";
  snap: boolean;
  loop: boolean;
  plant: boolean;
  overlap: [number, number] | null;
  correspondences: [number, number][];
  type: "transition";
  first: string;
  second: string;
}

/** A clip whose planted feet and hands stay put; ``ground`` None finds the floor. */
export interface EnforceRecipe {
  ground: number | null;
  stretch: number | null;
  blend_duration: number | null;
  type: "enforce";
  source: string;
}

/** A cycle of a clip, closed so that it repeats without a jump. */
export interface LoopRecipe {
  cycles: number | null;
  near: number | null;
  seam_limit: number | null;
  window: number | null;
  ease: number | null;
  type: "loop";
  source: string;
}

/** A key of a warp: one of the kinds at a time of the source, with its ease in seconds; None holds. */
export interface JointKey {
  time: number;
  joint: string;
  kind: "rotate" | "orient" | "move" | "reach" | "scale";
  value: number[];
  ease: number | null;
}

/** A clip reshaped by keys, and retimed by pairs of source time and new time; or by a warp preset. */
export interface WarpRecipe {
  type: "warp";
  source: string;
  keys: JointKey[];
  times: [number, number][];
  preset: string | null;
  amount: number;
  keep_plants: boolean;
  saved: string | null;
}

/** Cyclic clips mixed along a curve; vertices are (x, v), or (x, v, w) in a box of four, each 0 to 1. */
export interface FramespaceRecipe {
  type: "framespace";
  sources: string[];
  curve: number[][];
  upper: number[][] | null;
  cycles: number;
  polyline: boolean;
  decoupled: boolean;
  loop: boolean;
}

/** Clips in a row, with a transition from each to the next, as :func:`motionloom.concatenate` makes it. */
export interface SequenceRecipe {
  at: [number, number][];
  keep: number | "all" | null;
  half_width: number | null;
  method: "registration" | "linear" | "inertialize" | "dead" | "overlap";
  alignment: "auto" | "windowed";
  loop: boolean;
  plant: boolean;
  overlap: [number, number] | null;
  type: "sequence";
  sources: string[];
}

/** Another version of a clip, which has an edit of its own. */
export interface CopyRecipe {
  type: "copy";
  source: string;
  place: [number, number, number] | null;
  fps: number | null;
}

/** A clip on another skeleton: that of the clip ``to``, or that of a file of the project at ``path``. */
export interface RetargetRecipe {
  type: "retarget";
  source: string;
  to: string | null;
  path: string | null;
  joint_map: Record<string, string | null>;
  plant: boolean;
}

/** What is done to a clip before anything else uses it, in this order. */
export interface ClipEdit {
  repair: boolean;
  smooth: number | null;
  trim: [number, number] | null;
  speed: number | null;
  reverse: boolean;
  mirror: boolean;
  root_motion: "root" | "hips" | "nowhere" | null;
  travel: "recover" | "remove" | null;
}

/** Add a clip at the end of the list; the document gives it an id and a colour. */
export interface AddItem {
  type: "add";
  name: string;
  recipe: Recipe;
  edit: ClipEdit | null;
}

/** Take a clip out of the list, if no other clip is made of it. */
export interface RemoveItem {
  type: "remove";
  item: string;
}

/** Take several clips out of the list, if none that stays is made of them. */
export interface RemoveItems {
  type: "remove_many";
  items: string[];
}

/** Move clips into a folder of the list, or with "" out of all folders. */
export interface MoveItems {
  type: "move";
  items: string[];
  folder: string;
}

/** Give a clip another name. */
export interface RenameItem {
  type: "rename";
  item: string;
  name: string;
}

/** Show or hide the figure of a clip. */
export interface ShowItem {
  type: "show";
  item: string;
  visible: boolean;
}

/** Change how a clip is made: weights, keys, methods, sources. */
export interface SetRecipe {
  type: "set_recipe";
  item: string;
  recipe: Recipe;
}

/** A constraint that somebody edited: a joint that stays put from ``start`` to ``end``, in frames. */
export interface PlantMark {
  joint: string;
  kind: string;
  start: number;
  end: number;
  point: [number, number, number];
  target: [number, number, number] | null;
}

/** An event that somebody edited, at a frame. */
export interface EventMark {
  frame: number;
  label: string;
  joint: string;
}

/** Constraints and events in place of those that annotation finds. */
export interface Marks {
  plants: PlantMark[];
  events: EventMark[];
  edit: ClipEdit | null;
}

/** Repair, trim, speed up, reverse or mirror a clip, or move its root motion. */
export interface SetEdit {
  type: "set_edit";
  item: string;
  edit: ClipEdit;
  marks: Marks | null;
}

/** Put plants and events in place of those that annotation finds; None goes back to those. */
export interface SetMarks {
  type: "set_marks";
  item: string;
  marks: Marks | null;
}

/** Add a character from a file of the project, and show all clips on it. */
export interface AddCharacter {
  type: "add_character";
  name: string;
  path: string;
}

/** Take a character out of the project; what it was chosen for gets the mannequin. */
export interface RemoveCharacter {
  type: "remove_character";
  character: string;
}

/** Show clips as the mannequin, as sticks, or on a character. */
export interface ChooseFigure {
  type: "choose_figure";
  figure: string;
}

/** Correct which joints of clips drive the joints of a character; ``item`` is the clip that shows it. */
export interface MapJoints {
  type: "map_joints";
  character: string;
  joint_map: Record<string, string | null>;
  item: string | null;
}

/** Apply an edit; ``serial`` comes back once it is applied or refused. */
export interface Do {
  type: "do";
  serial: number;
  edit: Edit;
  gesture: string | null;
}

/** Take the last edit back. */
export interface Undo {
  type: "undo";
}

/** Do again what was undone last. */
export interface Redo {
  type: "redo";
}

/** Begin to steer the clips of a blend, from the parameter ``u`` on or from the start. */
export interface LiveStart {
  type: "live_start";
  item: string;
  weights: number[];
  u: number | null;
  loops: boolean;
}

/** Go on by ``dt`` seconds with these weights; answered by a pose with the same ``serial``. */
export interface LiveStep {
  type: "live_step";
  serial: number;
  dt: number;
  weights: number[];
  speed: number | null;
  turn: number | null;
}

/** Stop steering. */
export interface LiveStop {
  type: "live_stop";
}

/** Stop making a clip; it fails, and stays so until it changes or is made again. */
export interface StopJob {
  type: "stop";
  item: string;
}

/** Make a clip that failed or was stopped again. */
export interface MakeAgain {
  type: "make_again";
  item: string;
}

/** One clip of a project: a row of the list, a lane group of the timeline, a figure in the viewport. */
export interface Item {
  id: string;
  name: string;
  recipe: Recipe;
  edit: ClipEdit;
  marks: Marks | null;
  colour: number;
  visible: boolean;
  folder: string;
}

/** A character of a project: a file with a skinned mesh. */
export interface CharacterFile {
  id: string;
  name: string;
  path: string;
  joint_map: Record<string, string | null>;
}

/** Everything that is saved and undone: the items, in the order of the list. */
export interface Document {
  type: "motionloom project";
  version: 1;
  items: Item[];
  next_number: number;
  characters: CharacterFile[];
  figure: string;
}

/** The document after every change, and at the start. */
export interface StudioState {
  type: "state";
  revision: number;
  document: Document;
  project: string;
  undo: string | null;
  redo: string | null;
}

/** A clip is being made; ``done`` of ``total`` steps where that is known. */
export interface Working {
  type: "working";
  item: string;
  done: number;
  total: number;
}

/** A clip was made, in ``elapsed`` seconds: ``GET /api/clips/{key}``. Equal keys mean equal motion. */
export interface Finished {
  type: "finished";
  item: string;
  key: string;
  elapsed: number;
}

/** A clip could not be made, and why. */
export interface Failed {
  type: "failed";
  item: string;
  error: string;
}

/** The edit of this ``serial`` was applied; the ``state`` that it led to was sent before this message. */
export interface Applied {
  type: "applied";
  serial: number;
}

/** A message that could not be followed; ``serial`` is that of the edit, if it was one. */
export interface Refused {
  type: "refused";
  error: string;
  serial: number | null;
  steering: boolean;
}

/** The document of this revision is on the disk. */
export interface Saved {
  type: "saved";
  revision: number;
}

/** Live control has begun: the joints of its poses, and speed (m/s) and turn rate (rad/s) of each clip. */
export interface LiveStarted {
  type: "live_started";
  item: string;
  names: string[];
  parents: number[];
  speeds: number[];
  turn_rates: number[];
  cut: "auto" | "strides" | "loops" | "parts" | "whole";
  goes_on: boolean;
}

/** A constraint of a clip: its frames, how far its point slides in them (metres), the point's column. */
export interface PlantSpan {
  joint: string;
  kind: string;
  start: number;
  end: number;
  point: [number, number, number];
  target: [number, number, number] | null;
  slide: number;
  column: number;
}

/** An event of a clip. */
export interface Mark {
  frame: number;
  label: string;
  joint: string;
}

/** How well clips correspond: the level in words, why, what to do about it, and the figure behind it. */
export interface ShownVerdict {
  fit: "good" | "doubtful" | "unfit";
  level: string;
  reason: string;
  remedy: string;
  figure: string;
}

/** What comes with the arrays of a clip. */
export interface ClipHeader {
  names: string[];
  parents: number[];
  n_frames: number;
  edit: ClipEdit;
  whole_frames: number;
  fps: number;
  cyclic: boolean;
  plants: PlantSpan[];
  events: Mark[];
  seams: number[];
  floor: number;
  height: number;
  verdict: ShownVerdict | null;
  notes: string[];
  has_more_notes: boolean;
  mannequin: string | null;
}

/** Triangles of one material: the first of their indices, and how many. */
export interface MeshPart {
  first: number;
  count: number;
  material: number;
}

/** How a part of a mesh looks; a texture, if there is one, is a request of its own. */
export interface MeshMaterial {
  name: string;
  colour: [number, number, number, number];
  textured: boolean;
  double_sided: boolean;
  alpha_mode: "opaque" | "mask" | "blend";
  alpha_cutoff: number;
}

/** What comes with the arrays of a skinned mesh; ``bones`` are the joints (B,) of its bones. */
export interface MeshHeader {
  bones: number[];
  parts: MeshPart[];
  materials: MeshMaterial[];
  notes: string[];
}

/** What comes with a clip on a character: the same arrays as with a clip. */
export interface CharacterHeader {
  names: string[];
  parents: number[];
  n_frames: number;
  fps: number;
  cyclic: boolean;
  plants: PlantSpan[];
  events: Mark[];
  floor: number;
  height: number;
  character: string;
  root: number;
  drivers: (string | null)[];
}

/** A skeleton of a joint map, with its joints where a figure shows them. */
export interface MappedSkeleton {
  names: string[];
  parents: number[];
  positions: [number, number, number][];
}

/** Two joints that correspond; ``given`` where somebody said so. */
export interface MappedPair {
  source: string;
  target: string;
  part: string;
  given: boolean;
}

/** Which joints of a clip drive which joints of a character. */
export interface JointMapView {
  source: MappedSkeleton;
  target: MappedSkeleton;
  pairs: MappedPair[];
}

/** A file that was added: its path in the project, and what it holds. */
export interface UploadedFile {
  path: string;
  has_motion: boolean;
  has_character: boolean;
  notes: string[];
}

/** What comes with the pose of live control: ``positions`` (J, 3) and ``rotations`` (J, 4). */
export interface LiveHeader {
  serial: number;
  time: number;
  u: number;
  weights: number[];
  finished: boolean;
  speed: number | null;
  turn: number | null;
}

/** A fault of capture in a clip: its first frame, a sentence, and whether repair mends it. */
export interface FaultRow {
  frame: number;
  text: string;
  mendable: boolean;
}

/** One measurement of a clip, before and after enforcement. */
export interface MeasurementRow {
  group: string;
  name: string;
  unit: string;
  before: number | null;
  after: number | null;
}

/** Measures of a clip, with its faults and curves over time to draw: name -> one value per frame. */
export interface Quality {
  faults: FaultRow[];
  rows: MeasurementRow[];
  unmeasured: string[];
  notes: string[];
  curves: Record<string, number[]>;
  curves_before: Record<string, number[]>;
  units: Record<string, string>;
}

/** What went wrong with a request, as a sentence for the user. */
export interface ErrorResponse {
  error: string;
}

/** An axis of a distance grid: what is registered of a clip, in frames of the clip as the project has it. */
export interface RegisteredClip {
  item: string;
  first: number;
  step: number;
  cells: number;
  start: number;
  end: number;
  cyclic: boolean;
  strikes: number[];
  parents: number[];
}

/** What comes with the distance grid of two clips of a blend, a over its rows and b over its columns. */
export interface RegistrationHeader {
  a: RegisteredClip;
  b: RegisteredClip;
  verdict: ShownVerdict;
  lines: string[];
  settings: Record<string, number | string>;
  joints: string[];
}

/** A transition made by one method: where, how long, and how good it is; or why it cannot be made. */
export interface MethodMeasures {
  method: "registration" | "linear" | "inertialize" | "dead";
  error: string | null;
  at: [number, number] | null;
  spans: [[number, number], [number, number]] | null;
  duration: number | null;
  seams: number[];
  speed: number | null;
  acceleration: number | null;
  jerk: number | null;
  turning: number | null;
  slide: number | null;
  kept: number[];
  doubt: string;
  notes: string[];
}

/** All methods for one transition; ``repeats`` are the frames of each clip that may repeat, or None. */
export interface Transitions {
  methods: MethodMeasures[];
  repeats: [[number, number] | null, [number, number] | null];
}

/** A key of a warp that names a place: its number in the recipe, and metres by which it is missed. */
export interface KeyResult {
  key: number;
  distance: number;
  reached: boolean;
}

/** A key of a saved warp: its moment in words, the seconds of the source where it was found, its joint. */
export interface SavedKey {
  moment: string;
  times: number[];
  joint: string;
  kind: string;
}

/** What comes with the curves of one joint of a warp. */
export interface WarpHeader {
  joint: string;
  source_duration: number;
  source_fps: number;
  duration: number;
  results: KeyResult[];
  notes: string[];
  saved: SavedKey[];
}

/** A box on the floor: centre and size in metres (across the path, up, along it), and yaw in radians. */
export interface StageBox {
  centre: [number, number, number];
  size: [number, number, number];
  yaw: number;
}

/** A position in metres that a joint is to reach at a time in seconds, and whether it does. */
export interface StageTarget {
  joint: string;
  time: number;
  position: number[];
  reached: boolean;
}

/** What a warp is made for: stairs, blocks and hurdles as boxes, and the targets of its keys. */
export interface StageObjects {
  boxes: StageBox[];
  targets: StageTarget[];
}

/** A warp preset: its name, and what it does in a sentence. */
export interface WarpPreset {
  name: string;
  description: string;
}

/** What comes with pictures of the warp presets: the array ``poses`` (N, P, J, 3), metres. */
export interface WarpPresetsHeader {
  warps: WarpPreset[];
  parents: number[];
}

/** A state that all clips of a framespace have: its labels, what they mean, and when each clip has it. */
export interface SpaceState {
  labels: string[];
  description: string;
  times: number[];
}

/** What comes with a framespace. */
export interface FramespaceHeader {
  shape: "rectangle" | "line" | "box";
  periods: number[];
  lower: SpaceState[];
  upper: SpaceState[];
  notes: string[];
  cycles: number;
}

/** What comes with a curve that is being drawn: the array ``curve`` (S, 1 + D). */
export interface SpaceCurve {
  polyline: boolean;
}

/** An option of a built-in motion: its name and its default. */
export interface MotionOption {
  name: string;
  label: string;
  is_string: boolean;
  default: number | string | null;
  choices: string[];
  example: string;
}

/** A built-in motion, under the heading that it is listed below. */
export interface BuiltInMotion {
  name: string;
  heading: string;
  options: MotionOption[];
}

/** All built-in motions. */
export interface Motions {
  motions: BuiltInMotion[];
}

/** How far an export is: ``done`` of ``total`` images of a movie, or 0 of 0. */
export interface ExportProgress {
  done: number;
  total: number;
}

/** A file type that clips can be exported as: its suffix, what it is called, and what it is good for. */
export interface ExportOption {
  name: string;
  title: string;
  description: string;
  options: string[];
}

/** Suffixes of files that can be added to a project, and the file types for exports. */
export interface FileFormats {
  accepted: string[];
  exports: ExportOption[];
}

/** What the viewport must know of a clip to draw it, besides where its joints are. */
export interface FigureHeader {
  names: string[];
  parents: number[];
  n_frames: number;
  fps: number;
  cyclic: boolean;
  plants: PlantSpan[];
  events: Mark[];
  floor: number;
  height: number;
}

/** How a table of numbers is packed: its name, its shape, the step of its numbers, and their bytes. */
export interface PackedTable {
  name: string;
  shape: number[];
  quantum: number;
  n_bytes: number;
  has_gaps: boolean;
}

/** A clip of a page; ``start`` is where it starts: x and z of its root in metres, and its heading. */
export interface ViewerClip {
  name: string;
  caption: string;
  header: FigureHeader;
  start: [number, number, number];
  tables: PackedTable[];
}

/** One measurement of all clips; a value is missing where a clip could not be measured. */
export interface ComparedRow {
  group: string;
  name: string;
  unit: string;
  values: (number | null)[];
}

/** One value over time for each clip: its values, which may be none, and the seconds that they span. */
export interface ComparedCurve {
  name: string;
  unit: string;
  values: number[][];
  durations: number[];
}

/** A page: its clips, how they are laid out, and for comparisons measurements and curves. */
export interface PageData {
  kind: "view" | "sheet" | "compare";
  title: string;
  layout: "placed" | "start" | "side" | "wipe";
  clips: ViewerClip[];
  notes: string[];
  rows: ComparedRow[];
  curves: ComparedCurve[];
}

export type Recipe = FileRecipe | MotionRecipe | BlendRecipe | TransitionRecipe | EnforceRecipe | LoopRecipe | WarpRecipe | FramespaceRecipe | SequenceRecipe | CopyRecipe | RetargetRecipe;

export type Edit = AddItem | RemoveItem | RemoveItems | MoveItems | RenameItem | ShowItem | SetRecipe | SetEdit | SetMarks | AddCharacter | RemoveCharacter | ChooseFigure | MapJoints;

export type FromPage = Do | Undo | Redo | LiveStart | LiveStep | LiveStop | StopJob | MakeAgain;

export type FromServer = StudioState | Working | Finished | Failed | Applied | Refused | Saved | LiveStarted;

/** What the list of clips calls each kind of clip. */
export const KINDS: Record<Recipe["type"], string> = {
  file: "file",
  motion: "built-in",
  blend: "blend",
  transition: "transition",
  enforce: "planted",
  loop: "loop",
  warp: "warp",
  framespace: "framespace",
  sequence: "sequence",
  copy: "copy",
  retarget: "retargeted",
};

/** Fields of each kind of recipe that name other clips. */
export const SOURCES: Record<Recipe["type"], string[]> = {
  file: [],
  motion: [],
  blend: ["sources"],
  transition: ["first", "second"],
  enforce: ["source"],
  loop: ["source"],
  warp: ["source"],
  framespace: ["sources"],
  sequence: ["sources"],
  copy: ["source"],
  retarget: ["source", "to"],
};

/** Length of a message to the server. */
export const MAX_CHARACTERS = 25165824;
