import { element } from "../core/dom";
import type { ViewerClip } from "../core/messages";
import { Playback } from "../core/playback";
import { playbackKeys } from "../core/playback_keys";
import { Shortcuts, type Shortcut } from "../core/shortcuts";
import type { Theme } from "../core/theme";
import { iconButton } from "../widgets/buttons";
import { openDialog } from "../widgets/dialog";
import { shortcutList } from "../widgets/shortcut_list";
import { bodyButton, onionStep, toggleButton, tool, VIEWS } from "../viewport/toolbar";
import { Actor } from "./actor";
import { diverge } from "./arrangement";
import { type Layout, LAYOUTS } from "./layouts";
import { StageView } from "./stage_view";
import { Transport } from "./transport";
import type { ViewerMotion } from "./unpacking";

/** Seconds around an event within which its label is shown. */
const EVENT_SHOWN = 0.12;

/** A player of clips: the figures, what is shown of them, and playback. */
export class Player {
  readonly element = element("section", { class: "player", "aria-label": "Viewer" });
  readonly playback = new Playback();
  readonly view: StageView;
  readonly transport = new Transport(this.playback);
  private readonly shortcuts: Shortcuts;
  private readonly list = element("div", { class: "clip-list", role: "group", "aria-label": "Clips" });
  private readonly caption = element("p", { class: "caption" });
  private readonly layouts: HTMLSelectElement;
  private readonly keyListener = (event: KeyboardEvent): void => this.shortcuts.handle(event);

  constructor(
    private readonly clips: ViewerClip[],
    layout: Layout,
    theme: Theme,
    dialog: HTMLDialogElement | null = null,
  ) {
    const host = element("div", { class: "viewport" });
    this.element.append(host, this.list, this.caption, this.transport.element);
    this.view = new StageView(host, this.playback, theme);
    this.layouts = this.layoutSelect();
    host.append(this.toolbar());
    this.view.layout = layout;
    this.layouts.value = layout;
    this.fillList();
    this.select(0);
    this.shortcuts = new Shortcuts(dialog);
    this.shortcuts.register(...this.keys());
    document.addEventListener("keydown", this.keyListener);
    this.playback.moved.on(() => this.showCaption());
  }

  /** Add the motion of a clip. */
  add(index: number, motion: ViewerMotion): void {
    this.view.add(new Actor(this.clips[index]!, motion, index, this.view.settings.view.shape));
    this.playback.duration = Math.max(this.playback.duration, motion.duration);
  }

  /** Get ready to play when all clips were added. Clips side by side that would leave each other stay in place. */
  start(): void {
    const { view } = this;
    if (view.layout === "side" && diverge(view.actors)) view.settings.set("inPlace", true);
  }

  /** Select the clip that the camera follows, whose frames are counted and whose caption is shown. */
  select(index: number): void {
    this.view.selected = index;
    const { fps, events } = this.clips[index]!.header;
    this.transport.countFrames(fps, events);
    for (const [n, button] of [...this.list.children].entries()) {
      button.setAttribute("aria-pressed", String(n === index));
    }
    this.showCaption();
  }

  dispose(): void {
    this.playback.pause();
    document.removeEventListener("keydown", this.keyListener);
    this.view.dispose();
    this.element.remove();
  }

  private fillList(): void {
    this.list.hidden = this.clips.length < 2;
    this.list.append(
      ...this.clips.map(({ name, caption }, n) => {
        const button = tool(name, caption || name, () => this.select(n));
        button.style.setProperty("--dot", `var(--figure-${n % 8})`);
        button.classList.add("clip-name");
        return button;
      }),
    );
  }

  private showCaption(): void {
    const clip = this.clips[this.view.selected]!;
    const { fps, events } = clip.header;
    const distance = ({ frame }: { frame: number }): number => Math.abs(frame / fps - this.playback.time);
    const near = events.filter((event) => distance(event) < EVENT_SHOWN).sort((a, b) => distance(a) - distance(b))[0];
    const text = [clip.caption, near ? `${near.label} (${near.joint})` : ""].filter(Boolean).join(" · ");
    if (this.caption.textContent !== text) this.caption.textContent = text;
    this.caption.hidden = !clip.caption && events.length === 0;
  }

  private toolbar(): HTMLElement {
    const { view } = this;
    const display = element("div", { class: "view-tools", role: "toolbar", "aria-label": "Display" });
    display.append(
      ...(this.clips.length > 1 ? [this.layouts] : []),
      bodyButton(view),
      toggleButton(
        view,
        "plants",
        "Plants",
        "Show where feet and hands are planted; the ball turns red when they slide",
      ),
      toggleButton(view, "path", "Path", "Show the path of the root on the ground"),
      toggleButton(view, "onion", "Onion skin", "Show earlier and later poses (O)"),
      onionStep(view),
      toggleButton(view, "follow", "Follow", "Let the camera follow the selected figure (C)"),
    );
    display.append(toggleButton(view, "inPlace", "In place", "Keep figures where they start, as on a treadmill (I)"));
    if (this.clips.length > 1) {
      display.append(toggleButton(view, "isolate", "Fade others", "Fade the other figures where they overlap (A)"));
    }
    const from = element("div", { class: "view-tools from", role: "toolbar", "aria-label": "Views" });
    for (const [name, label, key] of VIEWS) {
      from.append(tool(label, `${label} view (${key})`, () => view.camera.look(name)));
    }
    from.append(
      tool("Frame all", "Frame all figures (F)", () => view.frameAll()),
      tool("?", "Keys (?)", () => this.help()),
    );
    return element("div", { class: "view-overlay" }, display, from);
  }

  private layoutSelect(): HTMLSelectElement {
    const select = element("select", {
      "aria-label": "Layout",
      title: "Layout of the clips (W)",
      onchange: () => (this.view.layout = select.value as Layout),
    });
    const layouts = this.clips.length === 1 ? LAYOUTS.filter(([name]) => name === "placed") : LAYOUTS;
    select.append(...layouts.map(([value, label, title]) => element("option", { value, title }, label)));
    return select;
  }

  private nextLayout(): void {
    const { selectedIndex, options } = this.layouts;
    this.layouts.selectedIndex = (selectedIndex + 1) % options.length;
    this.view.layout = this.layouts.value as Layout;
  }

  private help(): void {
    openDialog(
      "Keys",
      element("p", {}, "Drag to orbit, drag with the right button to pan, use the wheel to zoom."),
      ...shortcutList(this.shortcuts.all),
    );
  }

  private keys(): Shortcut[] {
    const { view } = this;
    const { camera, settings } = view;
    const key = (id: string, keys: string[], label: string, action: () => void): Shortcut => ({
      id: `view.${id}`,
      keys,
      label,
      group: "View",
      action,
    });
    return [
      ...playbackKeys(this.playback, (frames) => this.transport.step(frames)),
      ...VIEWS.map(([name, label, digit]) => key(name, [digit], `${label} view`, () => camera.look(name))),
      key("frame", ["F"], "Frame all figures", () => view.frameAll()),
      key("left", ["4"], "Orbit left", () => camera.orbit(-1, 0)),
      key("right", ["6"], "Orbit right", () => camera.orbit(1, 0)),
      key("up", ["8"], "Orbit up", () => camera.orbit(0, 1)),
      key("down", ["2"], "Orbit down", () => camera.orbit(0, -1)),
      key("nearer", ["PageUp"], "Zoom in", () => camera.zoom(1)),
      key("farther", ["PageDown"], "Zoom out", () => camera.zoom(-1)),
      key("next", ["N"], "Select the next clip", () => this.select((view.selected + 1) % this.clips.length)),
      key("layout", ["W"], "Next layout", () => this.nextLayout()),
      key("fade", ["A"], "Fade the other figures on or off", () => settings.set("isolate", !settings.view.isolate)),
      key("onion", ["O"], "Onion skin on or off", () => settings.set("onion", !settings.view.onion)),
      key("place", ["I"], "Figures in place on or off", () => settings.set("inPlace", !settings.view.inPlace)),
      key("follow", ["C"], "Camera follow on or off", () => settings.set("follow", !settings.view.follow)),
      key("help", ["?"], "Show these keys", () => this.help()),
    ];
  }

  /** A button that closes the player, for pages that show something else besides. */
  closeButton(close: () => void): HTMLElement {
    return iconButton("close", "Close", close);
  }
}
