import { element } from "../core/dom";
import type { Stage } from "../viewport/scene";
import type { Actor } from "./actor";

/** Names of clips above their figures. */
export class Labels {
  readonly element = element("div", { class: "labels", "aria-hidden": "true" });
  private readonly labels = new Map<Actor, HTMLElement>();

  /** Show the names of these actors; of a wipe, names are in the corners of their halves instead. */
  show(actors: Actor[], { camera, host }: Stage, wipe: number | null): void {
    for (const [actor, label] of this.labels) label.hidden = !actors.includes(actor);
    actors.forEach((actor, n) => {
      const label = this.labels.get(actor) ?? this.add(actor);
      const at = actor.above().project(camera);
      const isBehind = at.z > 1;
      const x = wipe === null ? ((at.x + 1) / 2) * host.clientWidth : wipe * host.clientWidth;
      const y = wipe === null ? ((1 - at.y) / 2) * host.clientHeight : host.clientHeight - 8;
      label.hidden = isBehind && wipe === null;
      const shift = wipe === null ? "-50%" : n === 0 ? "calc(-100% - 10px)" : "10px";
      label.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px) translate(${shift}, -100%)`;
    });
  }

  private add(actor: Actor): HTMLElement {
    const label = element("span", { style: `--dot: var(${actor.colour})` }, actor.clip.name);
    this.labels.set(actor, label);
    this.element.append(label);
    return label;
  }
}
