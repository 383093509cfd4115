import * as THREE from "three";
import { LiveTransfer } from "../core/live_transfer";
import type { CharacterHeader, FigureHeader, Item } from "../core/messages";
import type { Motion } from "../core/motion";
import { sourcesOf } from "../core/recipes";
import type { LivePose, Studio } from "../core/studio";
import { token } from "../core/theme";
import { MANNEQUIN, STICKS, type Skin } from "../core/characters";
import { Body, type FigureBody } from "./body";
import { Path } from "./path";
import type { Settings } from "./settings";
import { keepDriven, type Shape, type ShapeName, shapeOf } from "./shape";
import { freeSkins, SkinnedBody } from "./skinned_body";

const OPACITIES: Record<Role, number> = { solid: 1, ghost: 0.26, before: 0.26, faded: 0.1 };
/** Sticks are thin, and have to be seen all the same. */
const STICK_OPACITIES: Record<Role, number> = { solid: 1, ghost: 0.5, before: 0.5, faded: 0.18 };
/** Metres that the path of the selected clip lies over others. */
const PATH_LIFT = 0.003;
/** Metres between figures that stand side by side. */
const SIDE_STEP = 1.2;

/** `ghost` is a source of the selected clip, `before` the selected clip before planting, `faded` an unrelated clip. */
type Role = "solid" | "ghost" | "before" | "faded";

/** A clip as it stands in the scene. */
export interface Figure {
  item: Item;
  motion: Motion;
  /** What is drawn: the motion of the clip, or the same on a character. */
  shown: Motion<FigureHeader>;
  role: Role;
  body: FigureBody;
  path: Path | null;
  /** Offset from its own position, to stand beside the others. */
  offset: THREE.Vector3;
  /** The frame that is shown; fractions lie between two frames. */
  frame: number;
  /** The frame in which the body is; null until it has a pose of its motion. */
  posedFrame: number | null;
  /** Positions (J, 3) and rotations (J, 4) of the joints that are drawn. */
  pose: Float32Array;
  rotations: Float32Array;
  /** What the body was made for; another look makes another body. */
  look: string;
}

interface Wanted {
  item: Item;
  motion: Motion;
  role: Role;
}

/** What a figure wears: a skin, or none for capsules and sticks. */
interface Look {
  key: string;
  shown: Motion<FigureHeader>;
  shape: ShapeName;
  skin: Skin | null;
  isCharacter: boolean;
}

/** The figures of all visible clips; sources of the selected clip as ghosts, and itself before planting. */
export class Figures {
  readonly group = new THREE.Group();
  private readonly figures = new Map<string, Figure>();
  private shapes: { main: ShapeName; others: ShapeName } = { main: "capsules", others: "capsules" };
  private live: LivePose | null = null;
  private transfer: { shown: Motion<FigureHeader>; transfer: LiveTransfer | null } | null = null;

  constructor(
    private readonly studio: Studio,
    private readonly settings: Settings,
  ) {}

  get all(): Figure[] {
    return [...this.figures.values()];
  }

  /** The figures that are drawn solid. */
  get solid(): Figure[] {
    return this.all.filter(({ role }) => role === "solid");
  }

  /** The figures that react to clicks: solid and faded ones, not ghosts. */
  get clickable(): Figure[] {
    return this.all.filter(({ role }) => role === "solid" || role === "faded");
  }

  /** The figure of the selected clip, or of the first there is. */
  get main(): Figure | null {
    const selected = this.studio.selected;
    return this.solid.find(({ item }) => item.id === selected?.id) ?? this.solid[0] ?? null;
  }

  of(item: string): Figure | null {
    return this.figures.get(item) ?? null;
  }

  /** Show a live pose of a clip in place of the one at the playhead. */
  setLive(live: LivePose | null): void {
    this.live = live;
  }

  /** Add the figures that are needed now, and remove the others; `others` is the shape of all but the main one. */
  sync(shape: ShapeName, others: ShapeName = shape): void {
    this.shapes = { main: shape, others };
    const wanted = this.wanted();
    for (const [id, figure] of this.figures) {
      if (!wanted.has(id)) this.drop(id, figure);
    }
    const selected = this.studio.selected?.id ?? "";
    const first = [...wanted.values()].find(({ role }) => role === "solid")?.item.id;
    const main = wanted.get(selected)?.role === "solid" ? selected : first;
    for (const [id, { item, motion, role }] of wanted) {
      const look = this.lookOf(item, motion, role, item.id === main);
      let figure = this.figures.get(id);
      if (figure && (figure.look !== look.key || figure.motion !== motion)) {
        this.drop(id, figure);
        figure = undefined;
      }
      figure ??= this.add(id, item, motion, role, look);
      figure.item = item;
      figure.role = role;
    }
    this.arrange([...wanted.keys()].map((id) => this.figures.get(id)!));
    this.recolour();
    const worn = new Set(this.all.map(({ body }) => body instanceof SkinnedBody && body.skin));
    freeSkins((skin) => worn.has(skin) || this.studio.characters.has(skin));
  }

  /** Draw skinned meshes with at most about so many triangles each. */
  simplify(maxTriangles: number): void {
    for (const { body } of this.figures.values()) if (body instanceof SkinnedBody) body.simplify(maxTriangles);
  }

  recolour(): void {
    const selected = this.studio.selected?.id;
    for (const { item, role, body, path } of this.figures.values()) {
      const colour = token(role === "before" ? "--muted" : `--figure-${item.colour}`);
      const isApart = this.settings.view.sideBySide && role === "ghost";
      const opacities = body instanceof Body && body.isSticks ? STICK_OPACITIES : OPACITIES;
      body.paint(colour, isApart ? 1 : opacities[role]);
      if (!path) continue;
      path.paint(colour, item.id === selected ? 1 : 0.45);
      path.line.visible = this.settings.view.path && role !== "faded";
      path.line.position.y = item.id === selected ? PATH_LIFT : 0;
    }
  }

  /** Pose all figures at a time. */
  pose(seconds: number): void {
    for (const figure of this.figures.values()) {
      figure.frame = this.frameOf(figure, seconds);
      const live = figure.item.id === this.live?.item && figure.role === "solid" ? this.live : null;
      if (!live && figure.posedFrame === figure.frame) continue; // only the camera moves
      figure.posedFrame = live ? null : figure.frame;
      let hasRotations = true;
      const onCharacter = live && figure.shown !== figure.motion ? this.transferOf(figure) : null;
      if (live?.rotations && onCharacter) {
        onCharacter.pose(live.positions, live.rotations, figure.pose, figure.rotations);
      } else if (live?.positions.length === figure.pose.length) {
        figure.pose.set(live.positions);
        if (live.rotations) figure.rotations.set(live.rotations);
      } else {
        figure.shown.pose(figure.frame, figure.pose, figure.role === "before" ? "before" : "positions");
        hasRotations = figure.shown.rotate(figure.frame, figure.rotations);
      }
      figure.body.setPose(figure.pose, hasRotations ? figure.rotations : null);
    }
  }

  /** What puts live poses on the character of a figure. */
  private transferOf({ motion, shown }: Figure): LiveTransfer | null {
    if (this.transfer?.shown !== shown) {
      this.transfer = { shown, transfer: LiveTransfer.of(motion, shown as Motion<CharacterHeader>) };
    }
    return this.transfer.transfer;
  }

  /** A ghost shows the frame that the selected clip uses; all others the frame at the playhead. */
  private frameOf({ item, motion, role }: Figure, seconds: number): number {
    const selected = this.studio.selected;
    const blended = selected && role === "ghost" ? this.studio.motion(selected.id) : null;
    if (!selected || !blended) return motion.frameAt(seconds);
    const column = sourcesOf(selected.recipe).indexOf(item.id);
    const frame = blended.value("frames", Math.round(blended.frameAt(seconds)), column);
    if (frame === undefined || column < 0) return motion.frameAt(seconds);
    return motion.frameAt(frame / motion.header.fps);
  }

  private wanted(): Map<string, Wanted> {
    const { ghosts, before } = this.settings.view;
    const selected = this.studio.selected;
    const sources = new Set(selected ? sourcesOf(selected.recipe) : []);
    const { others, sideBySide } = this.settings.view;
    // Side by side, a clip that is made of others stands with these alone.
    const isolates = others === "hidden" || others === "alone" || (sideBySide && sources.size > 0);
    // A clip that could not be made leaves the others as they are; one that is hidden has no others.
    const isShown = selected?.visible ?? false;
    const otherRole = isShown && others !== "solid" ? "faded" : "solid";
    const showsSources = ghosts && (others !== "alone" || sideBySide);
    const wanted = new Map<string, Wanted>();
    for (const item of this.studio.document.items) {
      const motion = this.studio.motion(item.id);
      if (!item.visible || !motion || motion.nFrames === 0) continue;
      const isSource = isShown && sources.has(item.id);
      if (!isSource && item !== selected && otherRole === "faded" && isolates) continue;
      if (!isSource) wanted.set(item.id, { item, motion, role: item === selected ? "solid" : otherRole });
      else if (showsSources) wanted.set(item.id, { item, motion, role: "ghost" });
      if (before && item === selected && motion.arrays["before"]) {
        wanted.set(`${item.id} before`, { item, motion, role: "before" });
      }
    }
    return wanted;
  }

  private add(id: string, item: Item, motion: Motion, role: Role, look: Look): Figure {
    const { shown, skin } = look;
    const figure: Figure = {
      item,
      motion,
      shown,
      role,
      body: skin
        ? new SkinnedBody(skin, shown.nJoints, look.isCharacter)
        : new Body(shown.header.parents, 1, shapeFor(shown, look.shape), look.shape),
      path: role === "before" ? null : new Path(shown),
      offset: new THREE.Vector3(),
      frame: 0,
      posedFrame: null,
      pose: new Float32Array(3 * shown.nJoints),
      rotations: new Float32Array(4 * shown.nJoints),
      look: look.key,
    };
    this.group.add(figure.body.group);
    if (figure.path) this.group.add(figure.path.line);
    this.figures.set(id, figure);
    return figure;
  }

  /** What a figure is drawn as. A clip before planting is shown as capsules, because its rotations are not sent. */
  private lookOf(item: Item, motion: Motion, role: Role, isMain: boolean): Look {
    const { characters, document } = this.studio;
    const shape = document.figure === STICKS ? "sticks" : isMain ? this.shapes.main : this.shapes.others;
    const plain = { key: shape, shown: motion, shape, skin: null, isCharacter: false };
    const isStick = document.figure === STICKS || this.shapes.main === "sticks";
    if (isStick || role === "before") return plain;
    const { chosen } = characters;
    const onCharacter = chosen && characters.motion(item, chosen);
    if (shape === "sticks") {
      // Sticks in place of bodies have the size of the character, too, and go as far.
      return onCharacter ? { ...plain, key: `${shape} ${onCharacter.key}`, shown: onCharacter } : plain;
    }
    const skin = chosen && onCharacter ? characters.mesh(chosen) : null;
    if (skin && onCharacter) {
      return { key: `${skin.key} ${onCharacter.key}`, shown: onCharacter, shape, skin, isCharacter: true };
    }
    const mannequin = characters.mannequin(item);
    return mannequin ? { ...plain, key: `${MANNEQUIN} ${mannequin.key}`, skin: mannequin } : plain;
  }

  private drop(id: string, { body, path }: Figure): void {
    body.dispose();
    path?.dispose();
    this.figures.delete(id);
  }

  /** Line the figures up side by side, or put each where its motion is. */
  private arrange(inOrder: Figure[]): void {
    let column = 0;
    const selected = this.studio.selected?.id;
    const first = (figure: Figure): number => (figure.item.id === selected ? 0 : 1);
    for (const figure of [...inOrder].sort((a, b) => first(a) - first(b))) {
      if (!this.settings.view.sideBySide) figure.offset.set(0, 0, 0);
      else if (figure.role !== "before") {
        const [x, , z] = figure.shown.positions.subarray(3 * figure.shown.root);
        figure.offset.set(SIDE_STEP * column++ - x!, 0, -z!);
      } else figure.offset.copy(this.of(figure.item.id)?.offset ?? figure.offset);
      figure.body.group.position.copy(figure.offset);
      figure.path?.line.position.copy(figure.offset);
    }
  }
}

function shapeFor({ header, positions }: Motion<FigureHeader>, name: ShapeName): Shape {
  const { names, parents, height } = header;
  const shape = shapeOf(name, names, parents, positions.subarray(0, 3 * names.length), height);
  return "drivers" in header ? keepDriven(shape, parents, (header as CharacterHeader).drivers) : shape;
}
