import * as THREE from "three";
import type { Playback } from "../core/playback";
import type { Theme } from "../core/theme";
import { CameraControl } from "../viewport/camera";
import { BODY_LEVELS, DetailControl } from "../viewport/detail";
import { RenderLoop } from "../viewport/render_loop";
import { Ground, Stage } from "../viewport/scene";
import { Settings } from "../viewport/settings";
import type { Actor } from "./actor";
import { arrange, diverge, keepTogether } from "./arrangement";
import { Labels } from "./labels";
import type { Layout } from "./layouts";
import { Wipe } from "./wipe";

/** The scene of the page: all clips, laid out as chosen, from a camera that can be moved. */
export class StageView {
  readonly settings = new Settings(null);
  readonly stage: Stage;
  readonly camera: CameraControl;
  readonly detail: DetailControl;
  readonly actors: Actor[] = [];
  readonly wipe = new Wipe(() => this.loop?.request());
  /** Milliseconds after the page was opened at which the first figure was drawn. */
  firstFrame: number | null = null;
  private readonly ground = new Ground();
  private readonly labels: Labels;
  private readonly loop: RenderLoop;
  private readonly stops: (() => void)[];
  private chosen: Layout = "placed";
  private selectedIndex = 0;
  private isFramed = false;
  /** Whether the user has moved the camera, which then stays where it is. */
  private isMoved = false;
  private isStale = true;
  /** Whether a wipe divides clips that leave each other, and shows them at one place. */
  private areKeptTogether = false;

  constructor(
    readonly host: HTMLElement,
    private readonly playback: Playback,
    theme: Theme,
  ) {
    this.stage = new Stage(host);
    this.detail = new DetailControl(this.stage.isSoftware, BODY_LEVELS);
    this.stage.maxPixelRatio = this.detail.detail.pixelRatio;
    this.stage.scene.add(this.ground.group);
    this.camera = new CameraControl(this.stage.camera, this.stage.canvas, () => this.loop?.request());
    this.labels = new Labels();
    host.append(this.labels.element, this.wipe.element);
    this.loop = new RenderLoop(playback, (passed) => this.draw(passed));
    this.camera.controls.addEventListener("start", () => (this.isMoved = this.isFramed = true));
    const resize = new ResizeObserver(() => this.resize());
    resize.observe(host);
    this.stage.canvas.addEventListener("webglcontextrestored", () => this.changed());
    this.stops = [
      this.settings.changed.on(() => this.changed()),
      theme.changed.on(() => this.recolour()),
      this.detail.changed.on(() => {
        this.stage.maxPixelRatio = this.detail.detail.pixelRatio;
        this.changed();
      }),
      () => resize.disconnect(),
    ];
  }

  get layout(): Layout {
    return this.chosen;
  }

  set layout(layout: Layout) {
    this.chosen = layout;
    this.isFramed = false;
    this.changed();
  }

  get selected(): number {
    return this.selectedIndex;
  }

  set selected(index: number) {
    this.selectedIndex = index;
    const actor = this.actors[index];
    if (actor) this.camera.followNew(actor.root());
    this.changed();
  }

  /** Repaints per second during playback. */
  get fps(): number {
    return this.detail.fps;
  }

  add(actor: Actor): void {
    this.actors.push(actor);
    this.actors.sort((a, b) => a.index - b.index);
    this.stage.scene.add(actor.group);
    this.isFramed = this.isMoved; // clips come one by one, and all of them are to be seen
    this.changed();
  }

  actor(index: number): Actor | null {
    return this.actors.find((actor) => actor.index === index) ?? null;
  }

  /** Positions (J, 3) at which the joints of a clip are drawn, in metres, before it was moved by a layout. */
  jointPositions(index: number): number[][] {
    this.refresh();
    return this.actor(index)?.body.positions() ?? [];
  }

  /** Move the camera to show all figures. */
  frameAll(): void {
    this.refresh();
    const box = new THREE.Box3();
    for (const actor of this.shown) actor.extend(box);
    this.camera.frame(box);
    this.camera.follow(null);
  }

  /** Draw again; settings, layout or clips may have changed. */
  changed(): void {
    this.isStale = true;
    this.loop.request();
  }

  dispose(): void {
    this.stops.forEach((stop) => stop());
    for (const actor of this.actors) actor.dispose();
    this.camera.controls.dispose();
    this.stage.renderer.dispose();
    this.stage.renderer.forceContextLoss();
    this.host.replaceChildren();
  }

  /** The actors that are seen: of a wipe the first two. */
  private get shown(): Actor[] {
    return this.chosen === "wipe" ? this.actors.slice(0, 2) : this.actors;
  }

  private resize(): void {
    this.stage.resize();
    this.draw(0); // at once, because a canvas of another size is empty
  }

  private recolour(): void {
    this.stage.recolour();
    this.ground.recolour();
    for (const actor of this.actors) actor.recolour();
    this.loop.request();
  }

  private draw(passed: number): void {
    this.detail.record(passed);
    this.refresh();
    if (!this.isFramed && this.actors.length > 0) {
      this.frameAll();
      this.isFramed = true;
    }
    const main = this.actor(this.selectedIndex) ?? this.actors[0];
    this.camera.follow(main && this.settings.view.follow ? main.root() : null);
    this.ground.group.visible = this.settings.view.grid;
    this.ground.moveUnder(this.camera.controls.target, main?.motion.header.floor ?? 0);
    this.stage.fadeFrom(this.camera.distance);
    this.render();
    this.labels.show(
      this.actors.length > 1 ? this.shown : [],
      this.stage,
      this.chosen === "wipe" ? this.wipe.at : null,
    );
    if (main) this.firstFrame ??= performance.now();
  }

  /** Draw the scene: of a wipe one clip left and the other right of the line. */
  private render(): void {
    const { renderer, host } = this.stage;
    const [left, right] = this.shown;
    const isDivided = this.chosen === "wipe" && right !== undefined;
    this.wipe.element.hidden = !isDivided;
    if (!isDivided || !left) {
      for (const actor of this.actors) actor.group.visible = this.shown.includes(actor);
      this.stage.render();
      return;
    }
    const { clientWidth: width, clientHeight: height } = host;
    const split = Math.round(this.wipe.at * width);
    renderer.setScissorTest(true);
    for (const [actor, from, until] of [
      [left, 0, split],
      [right, split, width],
    ] as const) {
      for (const each of this.actors) each.group.visible = each === actor;
      renderer.setScissor(from, 0, until - from, height);
      this.stage.render();
    }
    renderer.setScissorTest(false);
  }

  /** Pose all figures at the playhead. */
  private refresh(): void {
    const { view } = this.settings;
    if (this.isStale) this.sync();
    for (const actor of this.shown) actor.show(this.playback.time, view, this.detail.detail.onionPoses);
    if (this.areKeptTogether) keepTogether(this.actors);
  }

  private sync(): void {
    this.isStale = false;
    const { view } = this.settings;
    const { shape } = view;
    arrange(this.actors, this.chosen);
    this.areKeptTogether = this.chosen === "wipe" && diverge(this.actors.slice(0, 2));
    const overlap = this.chosen === "start" || this.chosen === "placed";
    for (const actor of this.actors) {
      actor.apply(view, shape, actor.index === this.selectedIndex);
      actor.fade(view.isolate && overlap && this.actors.length > 1 && actor.index !== this.selectedIndex);
    }
  }
}
