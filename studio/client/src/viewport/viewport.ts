import * as THREE from "three";
import { element } from "../core/dom";
import type { Motion } from "../core/motion";
import type { Panel } from "../core/panel";
import type { Studio } from "../core/studio";
import { token } from "../core/theme";
import { View } from "./camera";
import { DetailWatch, MOST_ONION_POSES } from "./detail";
import { Figures } from "./figures";
import { Gizmo } from "./gizmo";
import { Ground } from "./ground";
import { Loop } from "./loop";
import { Onion } from "./onion";
import { onClick, PickedMarker, type Picked } from "./picking";
import { Plants } from "./plants";
import { Stage } from "./scene";
import { Settings } from "./settings";
import { registerKeys, toolbar } from "./toolbar";

const HELP =
  "The clips as figures. Drag to turn, drag with the right button to move, use the wheel to zoom. " +
  "Inputs of the selected clip are see-through, and clips that have nothing to do with it are faint (Only selected); discs on the floor are foot plants, and a red ball marks a planted " +
  "foot that slides. Click a joint to pick it for masks and warps.";

const NO_WEBGL =
  "This browser cannot draw figures: it has no WebGL 2. Switch on hardware acceleration, or use another browser.";

/** The scene and what keeps it up to date with the studio. */
export class Viewport {
  readonly settings = new Settings();
  readonly stage: Stage;
  readonly view: View;
  readonly figures: Figures;
  readonly detail: DetailWatch;
  readonly gizmo: Gizmo;
  private readonly ground = new Ground();
  private readonly marker = new PickedMarker();
  private readonly loop: Loop;
  private plants: Plants | null = null;
  private onion: Onion | null = null;
  private picked: { item: string; joint: number } | null = null;
  private framed: "not yet" | "begun" | "done" = "not yet";
  private followsAnew = false;
  private stale = true;

  constructor(
    private readonly studio: Studio,
    host: HTMLElement,
  ) {
    this.stage = new Stage(host);
    this.detail = new DetailWatch(this.stage.isSoftware);
    this.figures = new Figures(studio, this.settings);
    this.view = new View(this.stage.camera, this.stage.canvas, () => this.loop?.request());
    this.gizmo = this.makeGizmo();
    this.stage.scene.add(this.ground.group, this.figures.group, this.marker.mesh, this.gizmo.group);
    this.stage.maxPixelRatio = this.detail.detail.pixelRatio;
    this.loop = new Loop(studio, (passed) => this.draw(passed));
    this.listen(host);
  }

  /** Pictures per second while something plays. */
  get fps(): number {
    return this.detail.fps;
  }

  /** Where the joints of a clip's figure are drawn, (J, 3), metres; without the offset of side by side. */
  jointPositions(item: string): number[][] {
    this.refresh();
    return this.figures.of(item)?.body.positions() ?? [];
  }

  /** The frame that the figure of a clip shows; a ghost shows the one that its blend takes. */
  frameOf(item: string): number | null {
    this.refresh();
    return this.figures.of(item)?.frame ?? null;
  }

  /** Show everybody who does not stand aside. */
  frameAll(): void {
    this.refresh();
    const box = new THREE.Box3();
    const place = new THREE.Vector3();
    for (const { pose, offset, role } of this.figures.all) {
      if (role === "aside") continue;
      for (let n = 0; n < pose.length; n += 3) box.expandByPoint(place.fromArray(pose, n).add(offset));
    }
    this.view.frame(box);
  }

  /** Draw again at the next picture; `changed` where figures may have come, gone or changed. */
  request(changed = false): void {
    this.stale ||= changed;
    this.loop.request();
  }

  private makeGizmo(): Gizmo {
    const { camera, canvas } = this.stage;
    const offsetOf = (item: string): THREE.Vector3 | null => {
      this.refresh();
      return this.figures.of(item)?.offset ?? null;
    };
    const busy = (dragging: boolean): void => {
      this.view.controls.enabled = !dragging;
    };
    return new Gizmo(camera, canvas, this.studio.handle, offsetOf, busy, () => this.request());
  }

  private listen(host: HTMLElement): void {
    const { studio } = this;
    const changed = (): void => this.request(true);
    studio.documentChanged.on(changed);
    studio.itemChanged.on(changed);
    studio.selectionChanged.on(() => {
      this.followsAnew = true;
      changed();
    });
    this.view.controls.addEventListener("start", () => (this.framed = "done"));
    this.settings.changed.on(changed);
    this.detail.changed.on(() => {
      this.stage.maxPixelRatio = this.detail.detail.pixelRatio;
      changed();
    });
    studio.theme.changed.on(() => this.recolour());
    studio.livePosed.on((pose) => {
      this.figures.setLive(pose);
      this.request();
    });
    onClick(
      this.stage.canvas,
      this.stage.camera,
      () => this.figures.clickable,
      (found) => this.pick(found),
    );
    this.stage.canvas.addEventListener("webglcontextrestored", changed);
    new ResizeObserver(() => {
      this.stage.resize();
      this.loop.request();
    }).observe(host);
  }

  private pick(found: Picked | null): void {
    this.picked = found ? { item: found.figure.item.id, joint: found.joint } : null;
    if (found) {
      this.studio.select(found.figure.item.id);
      this.studio.jointPicked.emit({ item: found.figure.item.id, joint: found.figure.motion.head.names[found.joint]! });
    }
    this.request();
  }

  private recolour(): void {
    this.stage.recolour();
    this.ground.recolour();
    this.marker.recolour();
    this.gizmo.recolour();
    this.onion?.recolour();
    this.request(true);
  }

  private draw(passed: number): void {
    this.detail.note(passed);
    this.refresh();
    this.frameFirst();
    const main = this.figures.main;
    this.follow(main ? new THREE.Vector3().fromArray(main.pose).add(main.offset) : null);
    this.ground.group.visible = this.settings.view.grid;
    this.ground.moveUnder(this.view.controls.target, main?.motion.head.floor ?? 0);
    this.stage.fadeFrom(this.view.distance);
    this.stage.render();
  }

  /** While clips come in, show the first, and in the end all of them, unless somebody turned the camera meanwhile. */
  private frameFirst(): void {
    if (this.framed === "done" || !this.figures.main) return;
    const { studio } = this;
    const isComing = (id: string): boolean => !studio.motion(id) && !studio.progressOf(id).error;
    const waiting = studio.document.items.some(({ id, visible }) => visible && isComing(id));
    if (waiting && this.framed === "begun") return;
    this.framed = waiting ? "begun" : "done";
    this.frameAll();
  }

  private follow(place: THREE.Vector3 | null): void {
    if (place && this.followsAnew) this.view.followAnew(place);
    this.followsAnew &&= place === null;
    this.view.follow(this.settings.view.follow ? place : null);
  }

  /** Bring figures and what belongs to them to the time of the playhead. */
  private refresh(): void {
    if (this.stale) this.sync();
    this.figures.pose(this.studio.playback.time);
    const main = this.figures.main;
    if (main && this.plants) this.plants.show(main.frame);
    if (this.plants) this.plants.group.visible = !this.studio.live.running; // they are those of the motion
    if (main && this.onion) this.onion.show(main.frame, this.settings.view.onionStep, this.detail.detail.onionPoses);
    this.marker.show(this.picked ? this.figures.of(this.picked.item) : null, this.picked?.joint ?? -1);
  }

  private sync(): void {
    this.stale = false;
    const { view } = this.settings;
    this.figures.sync(this.detail.shape(view.shape));
    const main = this.figures.main;
    const motion = main?.motion ?? null;
    this.plants = this.replaced(this.plants, view.plants ? motion : null, (of) => new Plants(of));
    this.onion = this.replaced(this.onion, view.onion ? motion : null, (of) => new Onion(of, MOST_ONION_POSES));
    for (const part of [this.plants, this.onion]) if (main) part?.group.position.copy(main.offset);
    if (main) this.plants?.recolour(token(`--figure-${main.item.colour}`));
  }

  /** The part that belongs to a motion: the one there is if it is of this motion, a new one otherwise. */
  private replaced<Part extends { motion: Motion; group: THREE.Group; dispose(): void }>(
    part: Part | null,
    motion: Motion | null,
    make: (motion: Motion) => Part,
  ): Part | null {
    if (part && part.motion === motion) return part;
    part?.dispose();
    if (motion === null) return null;
    const made = make(motion);
    this.stage.scene.add(made.group);
    return made;
  }
}

/** The viewport as a panel. A browser that cannot draw in three dimensions shows a sentence in its place. */
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
    new Loop(studio, () => {}); // the playhead still runs
  }
  return { id: "viewport", title: "Viewport", help: HELP, element: host };
}
