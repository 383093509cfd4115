import { element, svgElement } from "../core/dom";
import type { JointMapView, MappedSkeleton } from "../core/messages";
import type { Studio } from "../core/studio";
import { openDialog } from "./dialog";

/** Width and height of a figure in its own units, and how far joints stay from the edge. */
const [WIDTH, HEIGHT, MARGIN] = [300, 300, 18];

/** Open the joint map of the selected clip and the chosen character: both as figures, whose joints can be clicked. */
export function openJointMap(studio: Studio): void {
  const character = studio.characters.chosen;
  const item = studio.selected;
  if (!character || !item) return;
  const map = new JointMapDialog(studio, character.id, item.id);
  const dialog = openDialog(`Joint map: ${item.name} on ${character.name}`, map.element);
  dialog.classList.add("wide");
  const stop = studio.documentChanged.on(() => void map.load());
  dialog.addEventListener("close", stop);
  void map.load();
}

class JointMapDialog {
  readonly element: HTMLElement;
  private readonly figures = element("div", { class: "joint-map-figures" });
  private readonly status = element("p", { role: "status", class: "joint-map-status" });
  private readonly rest: HTMLButtonElement;
  private readonly reset: HTMLButtonElement;
  private view: JointMapView | null = null;
  private chosen: string | null = null;
  private asked = 0;

  constructor(
    private readonly studio: Studio,
    private readonly character: string,
    private readonly item: string,
  ) {
    this.rest = element("button", { type: "button", onclick: () => this.drive(null) }, "Leave at rest");
    this.reset = element("button", { type: "button", onclick: () => this.correct({}) }, "Undo all corrections");
    this.element = element(
      "div",
      { class: "joint-map" },
      element(
        "p",
        { class: "muted" },
        "Click a joint of the character, then the joint of the clip that drives it. Hollow joints rest. Corrections are " +
          "saved in the project, and as joint_maps.json in its folder.",
      ),
      this.figures,
      this.status,
      element("div", { class: "buttons" }, this.rest, this.reset),
    );
  }

  async load(): Promise<void> {
    const number = ++this.asked;
    try {
      const path = `./api/characters/${this.character}/maps/${this.item}`;
      const view = await this.studio.server.json<JointMapView>(path);
      if (number !== this.asked) return; // a later answer is on its way
      this.view = view;
    } catch (error) {
      this.studio.sayError(error);
      return;
    }
    this.draw();
  }

  private get driver(): string | null {
    return this.view?.pairs.find(({ target }) => target === this.chosen)?.source ?? null;
  }

  private draw(): void {
    const { view } = this;
    if (!view) return;
    const focused = document.activeElement?.getAttribute("data-joint");
    const driven = new Map(view.pairs.map((pair) => [pair.target, pair]));
    const drivers = new Set(view.pairs.map(({ source }) => source));
    const given = new Set(view.pairs.filter((pair) => pair.given).map(({ target }) => target));
    this.figures.replaceChildren(
      figure("Clip", view.source, (joint) => ({
        classes: [drivers.has(joint) ? "" : "rests", joint === this.driver ? "chosen" : ""],
        label: `${joint} of the clip`,
        pick: () => this.drive(joint),
      })),
      figure("Character", view.target, (joint) => ({
        classes: [
          driven.has(joint) ? "" : "rests",
          given.has(joint) ? "given" : "",
          joint === this.chosen ? "chosen" : "",
        ],
        label: `${joint} of the character, ${driven.has(joint) ? `driven by ${driven.get(joint)!.source}` : "at rest"}`,
        pick: () => {
          this.chosen = joint;
          this.draw();
        },
      })),
    );
    if (focused) this.figures.querySelector<SVGElement>(`[data-joint="${CSS.escape(focused)}"]`)?.focus();
    const pairs = `${view.pairs.length} of ${view.target.names.length} joints follow the clip`;
    const { chosen, driver } = this;
    if (chosen === null) this.status.textContent = `${pairs}.`;
    else this.status.textContent = driver ? `${chosen} follows ${driver}.` : `${chosen} stays at rest.`;
    this.rest.disabled = chosen === null || driver === null;
    this.reset.disabled = Object.keys(this.corrections).length === 0;
  }

  private get corrections(): Record<string, string | null> {
    return this.studio.document.characters.find(({ id }) => id === this.character)?.joint_map ?? {};
  }

  private drive(source: string | null): void {
    if (this.chosen === null) {
      this.status.textContent = "First click the joint of the character that is to follow it.";
      return;
    }
    this.correct({ ...this.corrections, [this.chosen]: source });
  }

  private correct(joint_map: Record<string, string | null>): void {
    this.studio.do({ type: "map_joints", character: this.character, joint_map, item: this.item });
  }
}

interface JointLook {
  classes: string[];
  label: string;
  pick: () => void;
}

/** A skeleton seen from the front; its own left is on the right, where an L says so. */
function figure(title: string, skeleton: MappedSkeleton, lookOf: (joint: string) => JointLook): HTMLElement {
  const { names, parents, positions } = skeleton;
  const [low, high] = [0, 1].map((axis) => {
    const values = positions.map((place) => place[axis]!);
    return [Math.min(...values), Math.max(...values)] as const;
  }) as [readonly [number, number], readonly [number, number]];
  const room = [WIDTH - 2 * MARGIN, HEIGHT - 2 * MARGIN] as const;
  const scale = Math.min(room[0] / Math.max(low[1] - low[0], 0.01), room[1] / Math.max(high[1] - high[0], 0.01));
  const at = (joint: number): [number, number] => {
    const [x, y] = positions[joint]!;
    return [WIDTH / 2 + scale * (x - (low[0] + low[1]) / 2), HEIGHT / 2 - scale * (y - (high[0] + high[1]) / 2)];
  };
  const svg = svgElement("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "joint-figure" });
  parents.forEach((parent, joint) => {
    if (parent < 0) return;
    const [[x1, y1], [x2, y2]] = [at(parent), at(joint)];
    svg.append(svgElement("line", { x1, y1, x2, y2, class: "bone" }));
  });
  for (const [side, x] of [
    ["R", MARGIN / 2],
    ["L", WIDTH - MARGIN / 2],
  ] as const) {
    const letter = svgElement("text", { x, y: MARGIN, class: "side" });
    svg.append(Object.assign(letter, { textContent: side }));
  }
  names.forEach((name, joint) => {
    const { classes, label, pick } = lookOf(name);
    const [cx, cy] = at(joint);
    const circle = svgElement("circle", {
      cx,
      cy,
      r: 5,
      tabindex: 0,
      role: "button",
      "aria-label": label,
      "data-joint": `${title} ${name}`,
      class: ["joint", ...classes.filter(Boolean)].join(" "),
    });
    circle.append(Object.assign(svgElement("title"), { textContent: label }));
    circle.addEventListener("click", pick);
    circle.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      pick();
    });
    svg.append(circle);
  });
  const drawing = element("figure", {}, element("figcaption", {}, title));
  drawing.append(svg);
  return drawing;
}
