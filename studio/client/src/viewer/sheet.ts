import * as THREE from "three";
import { element } from "../core/dom";
import type { PageData, ViewerClip } from "../core/messages";
import { Playback } from "../core/playback";
import { togglePlay } from "../core/playback_keys";
import { Shortcuts } from "../core/shortcuts";
import { token, type Theme } from "../core/theme";
import { type Roundness, SMALL } from "../viewport/body";
import { BODY_LEVELS, DetailControl } from "../viewport/detail";
import { RenderLoop } from "../viewport/render_loop";
import { gridLines, Stage } from "../viewport/scene";
import { Settings } from "../viewport/settings";
import { fillSpeeds, playButton, relabelPlay } from "../widgets/play_buttons";
import { Actor } from "./actor";
import { Player } from "./player";
import { readMotion, type ViewerMotion } from "./unpacking";

/** For figures that the CPU draws: their triangles take most of the time, and half as many do at this size. */
const COARSE: Roundness = { around: 5, bands: 3 };
/** From where figures are seen: turned from their heading to the side, and from above, radians. */
const AZIMUTH = 0.6;
const ELEVATION = 0.16;
/** Distance of the camera in heights of the figure. */
const DISTANCE = 2.1;
/** Half the side of the grid below a figure, metres. */
const GRID = 2;
/** Pixels beyond the window within which figures are unpacked already. */
const AHEAD = "200px";
/** Seconds that the playhead of a sheet counts; figures loop on their own. */
const ENDLESS = 1e6;

interface Cell {
  clip: ViewerClip;
  index: number;
  picture: HTMLElement;
  actor: Actor | null;
  motion: Promise<ViewerMotion> | null;
  isVisible: boolean;
}

/** A grid of small moving figures on one canvas behind the page; only those that are in view are drawn. */
export class Sheet {
  readonly element = element("main", { class: "sheet" });
  readonly playback = new Playback();
  readonly controls: HTMLElement;
  readonly detail: DetailControl;
  firstFrame: number | null = null;
  private readonly stage: Stage;
  private readonly settings = new Settings(null);
  private readonly grid = gridLines(1, GRID);
  private readonly cells: Cell[];
  private readonly loop: RenderLoop;
  private readonly shortcuts = new Shortcuts();
  private opened: Player | null = null;

  constructor(
    private readonly page: PageData,
    private readonly theme: Theme,
    private readonly failed: (error: unknown) => void,
  ) {
    const host = element("div", { class: "sheet-canvas" });
    document.body.prepend(host);
    this.stage = new Stage(host);
    this.stage.renderer.setScissorTest(true);
    this.detail = new DetailControl(this.stage.isSoftware, BODY_LEVELS);
    this.stage.maxPixelRatio = this.detail.detail.pixelRatio;
    this.stage.scene.add(this.grid);
    this.cells = page.clips.map((clip, index) => this.cell(clip, index));
    this.playback.duration = ENDLESS;
    this.controls = this.makeControls();
    this.loop = new RenderLoop(this.playback, (passed) => this.draw(passed));
    this.shortcuts.register({
      id: "play",
      keys: ["Space"],
      label: "Play or pause",
      group: "Playback",
      action: () => togglePlay(this.playback),
    });
    this.listen(host);
    this.recolour();
  }

  get fps(): number {
    return this.detail.fps;
  }

  /** The number of figures that are drawn now. */
  get nDrawn(): number {
    return this.cells.filter(({ isVisible, actor }) => isVisible && actor).length;
  }

  /** Positions (J, 3) at which the joints of a clip are drawn, in metres. */
  jointPositions(index: number): number[][] {
    return this.cells[index]?.actor?.body.positions() ?? [];
  }

  private cell(clip: ViewerClip, index: number): Cell {
    const picture = element("span", { class: "picture" });
    const button = element(
      "button",
      {
        type: "button",
        class: "cell",
        title: `Open ${clip.name}`,
        onclick: () => void this.open(index).catch(this.failed),
      },
      picture,
      element("span", { class: "cell-name" }, clip.name),
      clip.caption ? element("small", {}, clip.caption) : null,
    );
    this.element.append(button);
    return { clip, index, picture, actor: null, motion: null, isVisible: false };
  }

  private listen(host: HTMLElement): void {
    const byPicture = new Map(this.cells.map((cell) => [cell.picture as Element, cell]));
    const onSeen = (entries: IntersectionObserverEntry[]): void => {
      for (const entry of entries) {
        const cell = byPicture.get(entry.target)!;
        cell.isVisible = entry.isIntersecting;
        if (cell.isVisible) this.load(cell).catch(this.failed);
      }
      this.loop.request();
    };
    const observer = new IntersectionObserver(onSeen, { rootMargin: AHEAD });
    for (const { picture } of this.cells) observer.observe(picture);
    const redraw = (): void => this.loop.request();
    document.addEventListener("scroll", redraw, { passive: true, capture: true });
    new ResizeObserver(() => {
      this.stage.resize();
      redraw();
    }).observe(host);
    this.theme.changed.on(() => this.recolour());
    this.detail.changed.on(() => {
      this.stage.maxPixelRatio = this.detail.detail.pixelRatio;
      this.applySettings();
    });
    this.stage.canvas.addEventListener("webglcontextrestored", redraw);
    document.addEventListener("keydown", (event) => {
      if (this.opened === null) this.shortcuts.handle(event);
    });
  }

  private async load(cell: Cell): Promise<ViewerMotion> {
    cell.motion ??= readMotion(cell.clip, cell.index);
    const motion = await cell.motion;
    if (cell.actor) return motion;
    const roundness = this.stage.isSoftware ? COARSE : SMALL;
    cell.actor = new Actor(cell.clip, motion, cell.index, "capsules", roundness);
    this.stage.scene.add(cell.actor.group);
    this.applySettings();
    return motion;
  }

  private applySettings(): void {
    const view = { ...this.settings.view, plants: false, onion: false };
    for (const { actor } of this.cells) actor?.apply(view, "capsules", false);
    this.loop.request();
  }

  private recolour(): void {
    this.stage.recolour();
    this.stage.scene.background = null;
    this.stage.scene.fog = null;
    this.stage.renderer.setClearColor(token("--ground"));
    (this.grid.material as THREE.LineBasicMaterial).color.set(token("--grid"));
    for (const { actor } of this.cells) actor?.recolour();
    this.loop.request();
  }

  private draw(passed: number): void {
    if (this.opened !== null) return;
    this.detail.record(passed);
    const { renderer, host } = this.stage;
    renderer.setScissor(0, 0, host.clientWidth, host.clientHeight);
    renderer.setClearAlpha(0);
    renderer.clear();
    renderer.setClearAlpha(1);
    for (const { actor } of this.cells) if (actor) actor.group.visible = false;
    for (const cell of this.cells) if (cell.isVisible && cell.actor) this.drawCell(cell, cell.actor);
    if (this.nDrawn > 0) this.firstFrame ??= performance.now();
  }

  private drawCell(cell: Cell, actor: Actor): void {
    const { renderer, host, camera, scene } = this.stage;
    const { left, bottom, width, height } = cell.picture.getBoundingClientRect();
    const frame = host.getBoundingClientRect();
    if (bottom < frame.top || bottom - height > frame.bottom || width === 0) return;
    const { duration } = actor.motion;
    actor.show(duration > 0 ? this.playback.time % duration : 0, this.settings.view, 0);
    actor.group.visible = true;
    this.aim(actor, width / height);
    renderer.setViewport(left - frame.left, frame.bottom - bottom, width, height);
    renderer.setScissor(left - frame.left, frame.bottom - bottom, width, height);
    renderer.render(scene, camera);
    actor.group.visible = false;
  }

  /** Look at a figure from ahead and to the side of where it faces at the start. */
  private aim(actor: Actor, aspect: number): void {
    const { camera } = this.stage;
    const { floor, height } = actor.motion.header;
    const size = Math.max(height, 0.3);
    const root = actor.root();
    // Figures that leap, or climb, stay in the picture.
    const above = Math.max(0.5 * size, root.y - floor - 0.1 * size);
    const target = new THREE.Vector3(root.x, floor + above, root.z);
    const angle = actor.clip.start[2] + AZIMUTH;
    const reach = (DISTANCE * size) / Math.min(1, aspect);
    camera.position.set(
      target.x + reach * Math.cos(ELEVATION) * Math.sin(angle),
      target.y + reach * Math.sin(ELEVATION),
      target.z + reach * Math.cos(ELEVATION) * Math.cos(angle),
    );
    camera.aspect = aspect;
    camera.updateProjectionMatrix();
    camera.lookAt(target);
    this.grid.position.set(Math.round(root.x), floor, Math.round(root.z));
  }

  /** Open a clip in a player in front of the sheet. */
  private async open(index: number): Promise<void> {
    const motion = await this.load(this.cells[index]!);
    if (this.opened !== null) return; // clicked twice before the motion was there
    const dialog = element("dialog", { class: "opened", "aria-label": this.page.clips[index]!.name });
    document.body.append(dialog);
    dialog.showModal();
    const player = new Player([this.page.clips[index]!], "placed", this.theme, dialog);
    this.opened = player;
    dialog.append(
      element(
        "header",
        {},
        element("h2", {}, this.page.clips[index]!.name),
        player.closeButton(() => dialog.close()),
      ),
      player.element,
    );
    player.add(0, motion);
    player.playback.play();
    dialog.addEventListener("close", () => {
      player.dispose();
      this.opened = null;
      dialog.remove();
      this.loop.request();
    });
  }

  private makeControls(): HTMLElement {
    const { playback } = this;
    const play = playButton("play", "Play", () => togglePlay(playback));
    const speed = element("select", {
      "aria-label": "Playback speed",
      title: "Playback speed",
      onchange: () => (playback.speed = Number(speed.value)),
    });
    const update = (): void => {
      relabelPlay(play, playback.playing);
      fillSpeeds(speed, playback.speed);
    };
    playback.changed.on(update);
    update();
    const count = element("span", { class: "muted" }, `${this.page.clips.length} clips`);
    return element("div", { class: "sheet-controls" }, count, play, speed);
  }
}
