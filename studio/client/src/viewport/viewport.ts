import * as THREE from "three";
import { element } from "../core/dom";
import type { CharacterHeader, FigureHeader } from "../core/messages";
import type { Motion } from "../core/motion";
import type { Panel } from "../core/panel";
import type { Studio } from "../core/studio";
import { token } from "../core/theme";
import { CameraControl, type CoveredFractions, type ViewName } from "./camera";
import { findCovered } from "./covered";
import { DetailControl, MAX_ONION_POSES, STILL } from "./detail";
import { type Figure, Figures } from "./figures";
import { Gizmo } from "./gizmo";
import { LABEL_ROOM, Labels } from "./labels";
import { Onion } from "./onion";
import { onJointClick, type FigureJoint, PickedMarker } from "./picking";
import { Plants } from "./plants";
import { RenderLoop } from "./render_loop";
import { Ground, Stage } from "./scene";
import { Settings } from "./settings";
import { SkinnedBody } from "./skinned_body";
import { StageObjectsView } from "./stage_objects";
import { registerKeys, toolbar } from "./toolbar";

const HELP =
  "Shows the clips as figures. Drag to orbit, drag with the right button to pan, and use the wheel to zoom. Sources of " +
  "the selected clip are shown as ghosts; unrelated clips are faint, or hidden (A); Shift+A shows the selected clip alone. Discs on the floor are foot plants, and a red " +
  "ball marks a planted foot that slides. Click a joint to pick it for body part weights and warps.";

/** Milliseconds without a change after which the picture is drawn in full detail. */
const STILL_AFTER = 250;

const NO_WEBGL =
  "This browser cannot draw the figures because WebGL 2 is missing. Turn on hardware acceleration or use another browser.";

/** The scene, kept up to date with the studio. */
export class Viewport {
  readonly settings = new Settings();
  readonly stage: Stage;
  readonly camera: CameraControl;
  readonly figures: Figures;
  readonly detail: DetailControl;
  readonly gizmo: Gizmo;
  private readonly ground = new Ground();
  private readonly marker = new PickedMarker();
  private readonly labels = new Labels();
  private readonly objects: StageObjectsView;
  private readonly loop: RenderLoop;
  private plants: Plants | null = null;
  private onion: Onion | null = null;
  private picked: { item: string; joint: number } | null = null;
  private framed: "not yet" | "first" | "all" = "not yet";
  private hasNewTarget = false;
  private stale = true;
  private isUnmeasured = false;
  /** Whether the next picture is drawn because nothing has changed for a while. */
  private isStill = false;
  private stillTimer = 0;
  private measuredLook: string | null = null;

  constructor(
    private readonly studio: Studio,
    host: HTMLElement,
  ) {
    this.stage = new Stage(host);
    this.detail = new DetailControl(this.stage.isSoftware);
    this.figures = new Figures(studio, this.settings);
    this.camera = new CameraControl(this.stage.camera, this.stage.canvas, () => this.loop?.request());
    this.gizmo = this.makeGizmo();
    this.stage.scene.add(this.ground.group, this.figures.group, this.marker.mesh, this.gizmo.group);
    this.objects = new StageObjectsView(studio, () => this.request(true));
    this.stage.scene.add(this.objects.group);
    host.append(this.labels.element);
    this.loop = new RenderLoop(
      studio.playback,
      (passed) => this.draw(passed),
      () => studio.live.running,
    );
    this.listen(host);
  }

  /** Repaints per second during playback. */
  get fps(): number {
    return this.detail.fps;
  }

  /** Positions (J, 3) at which the joints of a clip are drawn, in metres; without the offset of Side by side. */
  jointPositions(item: string): number[][] {
    this.refresh();
    return this.figures.of(item)?.body.positions() ?? [];
  }

  /** Vertices (V, 3) of the skinned mesh of a clip, in metres; without the offset of Side by side. Empty without a mesh. */
  skinnedVertices(item: string): number[] {
    this.refresh();
    const body = this.figures.of(item)?.body;
    return body instanceof SkinnedBody ? body.vertices() : [];
  }

  /** The frame that the figure of a clip shows; a ghost shows the frame that its blend uses. */
  frameOf(item: string): number | null {
    this.refresh();
    return this.figures.of(item)?.frame ?? null;
  }

  /** Move the camera to show all figures that are not faded. */
  frameAll(): void {
    this.refresh();
    const shown = this.figures.all.filter(({ role }) => role !== "faded");
    this.camera.frame(boxOf(shown.length > 0 ? shown : this.figures.all), this.covered);
  }

  /** Move the camera to show the selected figure. */
  frameSelected(): void {
    this.refresh();
    const { main } = this.figures;
    if (main) this.camera.frame(boxOf([main]), this.covered);
  }

  /** Look along an axis, without perspective; the selected figure comes into view if it is not. */
  look(from: ViewName): void {
    this.camera.look(from);
    this.refresh();
    const { main } = this.figures;
    if (main && !this.camera.sees(boxOf([main]), this.covered)) this.frameSelected();
  }

  private get covered(): CoveredFractions {
    const { host } = this.stage;
    const { top, bottom } = findCovered(host);
    const height = Math.max(host.clientHeight, 1);
    const isNamed = this.settings.view.names && this.figures.all.filter(({ role }) => role !== "faded").length > 1;
    return { top: (top + (isNamed ? LABEL_ROOM : 0)) / height, bottom: bottom / height };
  }

  /** Draw again at the next repaint; `changed` if figures may have been added, removed or changed. */
  request(changed = false): void {
    this.stale ||= changed;
    this.loop.request();
  }

  private makeGizmo(): Gizmo {
    const { camera, canvas } = this.stage;
    const offsetOf = (item: string): THREE.Vector3 | null => {
      if (this.stale) this.sync();
      return this.figures.of(item)?.offset ?? null;
    };
    const busy = (dragging: boolean): void => {
      this.camera.controls.enabled = !dragging;
    };
    return new Gizmo(camera, canvas, this.studio.gizmo, offsetOf, busy, () => this.request());
  }

  private listen(host: HTMLElement): void {
    const { studio } = this;
    const changed = (): void => this.request(true);
    studio.documentChanged.on(changed);
    studio.characters.changed.on(changed);
    studio.itemChanged.on(changed);
    studio.selectionChanged.on((selected) => {
      this.hasNewTarget = true;
      if (selected?.id !== this.picked?.item) this.picked = null;
      changed();
    });
    this.camera.controls.addEventListener("start", () => (this.framed = "all"));
    let wasSideBySide = this.settings.view.sideBySide;
    this.settings.changed.on(() => {
      changed();
      if (this.settings.view.sideBySide !== wasSideBySide) this.frameAll();
      wasSideBySide = this.settings.view.sideBySide;
    });
    this.detail.changed.on(changed);
    studio.theme.changed.on(() => this.recolour());
    studio.livePosed.on((pose) => {
      this.figures.setLive(pose);
      this.request();
    });
    onJointClick(
      this.stage.canvas,
      () => this.camera.active,
      () => this.figures.clickable,
      (found) => this.pick(found),
    );
    this.stage.canvas.addEventListener("webglcontextrestored", changed);
    new ResizeObserver(() => {
      this.stage.resize();
      this.loop.request();
    }).observe(host);
  }

  private pick(found: FigureJoint | null): void {
    this.picked = found ? { item: found.figure.item.id, joint: found.joint } : null;
    if (found) {
      this.studio.select(found.figure.item.id);
      this.studio.jointPicked.emit({
        item: found.figure.item.id,
        joint: jointName(found),
      });
    }
    this.request();
  }

  private recolour(): void {
    this.stage.recolour();
    this.ground.recolour();
    this.marker.recolour();
    this.gizmo.recolour();
    this.onion?.recolour();
    this.objects.recolour();
    this.request(true);
  }

  private draw(passed: number): void {
    this.detail.record(passed);
    const { isStill } = this;
    this.refresh();
    this.isStill = false;
    const detail = isStill ? STILL : this.detail.detail;
    this.stage.setPixelRatio(detail.pixelRatio, isStill);
    this.figures.simplify(detail.maxTriangles ?? Infinity);
    this.frameLoaded();
    const main = this.figures.main;
    const root = main ? new THREE.Vector3().fromArray(main.pose, 3 * main.shown.root).add(main.offset) : null;
    this.follow(root);
    const floor = (main ?? this.figures.all[0])?.shown.header.floor ?? 0;
    this.ground.group.visible = this.settings.view.grid;
    this.ground.moveUnder(this.camera.controls.target, floor);
    this.stage.castShadows(detail.shadows ? root : null, floor);
    this.stage.fadeFrom(this.camera.distance);
    const camera = this.camera.active;
    this.gizmo.camera = camera;
    this.stage.render(camera);
    this.labels.show(this.figures.all, camera, this.stage.host, this.settings.view.names);
    if (this.isUnmeasured && main && !isStill) {
      this.isUnmeasured = false;
      this.detail.guess(this.stage.timePicture(camera));
    }
    const isMoving = this.studio.playback.playing || this.studio.live.running;
    this.stage.host.classList.toggle("reduced", isMoving && this.detail.isLowered);
    clearTimeout(this.stillTimer);
    if (!isStill && !isMoving) this.stillTimer = window.setTimeout(() => this.drawStill(), STILL_AFTER);
  }

  private drawStill(): void {
    this.isStill = true;
    this.loop.request();
  }

  /** While clips are being loaded, frame the first and finally all of them, unless the user has moved the camera. */
  private frameLoaded(): void {
    if (this.framed === "all" || !this.figures.main) return;
    const { studio } = this;
    const isLoading = (id: string): boolean => !studio.motion(id) && !studio.progressOf(id).error;
    const waiting = studio.document.items.some(({ id, visible }) => visible && isLoading(id));
    if (waiting && this.framed === "first") return;
    this.framed = waiting ? "first" : "all";
    this.frameAll();
  }

  private follow(position: THREE.Vector3 | null): void {
    if (position && this.hasNewTarget) {
      const { main } = this.figures;
      // A figure that is selected, or gets another body, comes into view as a whole.
      if (main && this.framed === "all" && !this.camera.sees(boxOf([main]), this.covered)) this.frameSelected();
      this.camera.followNew(position);
    }
    this.hasNewTarget &&= position === null;
    this.camera.follow(this.settings.view.follow ? position : null);
  }

  /** Pose the figures, plants and onion skin at the playhead. */
  private refresh(): void {
    if (this.stale) this.sync();
    this.figures.pose(this.studio.playback.time);
    const main = this.figures.main;
    if (main && this.plants) this.plants.show(main.frame);
    if (this.plants) this.plants.group.visible = !this.studio.live.running; // the plants belong to the motion, not to live poses
    const { onionPoses } = this.isStill ? STILL : this.detail.detail;
    if (main && this.onion) this.onion.show(main.frame, this.settings.view.onionStep, onionPoses);
    this.marker.show(this.picked ? this.figures.of(this.picked.item) : null, this.picked?.joint ?? -1);
  }

  private sync(): void {
    this.stale = false;
    const { view } = this.settings;
    this.figures.sync(view.shape, this.detail.detail.otherBodies ? view.shape : "sticks");
    // Another kind of figure costs more or less: measure one picture of it.
    const { look = null } = this.figures.main ?? {};
    if (look !== this.measuredLook) this.isUnmeasured = this.hasNewTarget = true;
    this.measuredLook = look;
    const main = this.figures.main;
    const motion = main?.shown ?? null;
    this.objects.sync(this.figures.main, view.objects);
    this.plants = this.partFor(this.plants, view.plants ? motion : null, (of) => new Plants(of));
    this.onion = this.partFor(this.onion, view.onion ? motion : null, (of) => new Onion(of, MAX_ONION_POSES));
    for (const part of [this.plants, this.onion]) if (main) part?.group.position.copy(main.offset);
    if (main) this.plants?.recolour(token(`--figure-${main.item.colour}`));
  }

  /** The part for a motion: the present one if it belongs to this motion, else a new one. */
  private partFor<Part extends { motion: Motion<FigureHeader>; group: THREE.Group; dispose(): void }>(
    part: Part | null,
    motion: Motion<FigureHeader> | null,
    make: (motion: Motion<FigureHeader>) => Part,
  ): Part | null {
    if (part && part.motion === motion) return part;
    part?.dispose();
    if (motion === null) return null;
    const created = make(motion);
    this.stage.scene.add(created.group);
    return created;
  }
}

/** A box around the joints and the skin of figures. */
function boxOf(figures: Figure[]): THREE.Box3 {
  const box = new THREE.Box3();
  const point = new THREE.Vector3();
  for (const { pose, offset, body } of figures) {
    const points = body instanceof SkinnedBody ? body.outline() : pose;
    for (let n = 0; n < points.length; n += 3) {
      point.set(points[n]!, points[n + 1]!, points[n + 2]).add(offset);
      if (Number.isFinite(point.x + point.y + point.z)) box.expandByPoint(point);
    }
  }
  return box;
}

/** The joint of the clip that was picked; on a character, the one that drives the joint there. */
function jointName({ figure, joint }: FigureJoint): string {
  const { shown, motion } = figure;
  const name = shown.header.names[joint]!;
  if (shown === motion) return name;
  const drivers = (shown.header as CharacterHeader).drivers;
  return drivers[joint] ?? motion.header.names[0]!;
}

/** The viewport as a panel. Browsers without WebGL 2 show a message in its place. */
export function viewportPanel(studio: Studio): Panel {
  const host = element("section", { class: "viewport", "aria-label": "Viewport" });
  try {
    const viewport = new Viewport(studio, host);
    host.append(toolbar(viewport, studio));
    registerKeys(viewport, studio);
    Object.assign(window, { viewport });
  } catch (error) {
    console.warn(error);
    host.append(element("p", { class: "empty" }, NO_WEBGL));
    new RenderLoop(studio.playback, () => {}); // playback still works
  }
  return { id: "viewport", title: "Viewport", help: HELP, element: host };
}
