import { element, showOnly } from "../../core/dom";
import type { Item, TransitionRecipe, Transitions } from "../../core/messages";
import type { Panel } from "../../core/panel";
import { newTransition } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { clipPair } from "../../widgets/clip_pair";
import { methods } from "./methods";
import { transitionOptions } from "./options";
import { rails } from "./rails";
import { type Section, viewOf } from "./view";

const HELP =
  "A transition leads from one clip to another. Drag the middle handle of a rail to choose which frames meet, the outer " +
  "one for the width, or let the best place be found. The table compares four ways to make it; press one to take it.";
const HINT = "Select a transition, or choose two clips to lead from one to the other.";

/** Seconds that are played before the transition begins. */
const RUN_UP = 1;

/** Place, width and method of the selected transition. */
export function transitionPanel(studio: Studio): Panel {
  const box = element("div", { class: "panel-body transition-panel" });
  const chooser = clipPair(studio, { hint: HINT, first: "From", second: "To", make: "Make a transition" }, (...ids) =>
    studio.do({ type: "add", name: "transition", recipe: newTransition(...ids) }),
  );
  let shown: Shown | null = null;

  const refresh = (): void => {
    if (!box.offsetParent) return; // fetched when somebody looks
    const item = studio.selected;
    if (item?.recipe.type !== "transition") {
      shown = null;
      chooser.update();
      showOnly(box, chooser.element);
      return;
    }
    if (shown?.id !== item.id) {
      shown = new Shown(studio, item, item.recipe);
      showOnly(box, shown.element);
    }
    shown.update(item, item.recipe);
  };
  studio.documentChanged.on(refresh);
  studio.selectionChanged.on(refresh);
  studio.itemChanged.on((id) => {
    const recipe = studio.selected?.recipe;
    const ours = recipe?.type === "transition" && [studio.selected?.id, recipe.first, recipe.second].includes(id);
    if (ours) refresh();
  });
  new ResizeObserver(refresh).observe(box); // also tells when the tab is opened
  return { id: "transition", title: "Transition", help: HELP, element: box };
}

/** The panel for one transition. */
class Shown {
  readonly id: string;
  readonly element: HTMLElement;
  private item: Item;
  private recipe: TransitionRecipe;
  private found: Transitions | null = null;
  private asked = "";
  private asking = false;
  private readonly status = element("p", { class: "verdict", role: "status" });
  private readonly play = element(
    "button",
    {
      type: "button",
      class: "primary",
      title: "Play from a second before the transition",
      onclick: () => this.playOver(),
    },
    "Play",
  );
  private readonly sections: Section[];

  constructor(
    private readonly studio: Studio,
    item: Item,
    recipe: TransitionRecipe,
  ) {
    this.id = item.id;
    [this.item, this.recipe] = [item, recipe];
    const view = viewOf(studio, item, recipe, null);
    this.sections = [rails(view, this.play), methods(view), transitionOptions(view)];
    const [placed, compared, options] = this.sections;
    this.element = element("div", {}, this.status, placed!.element, compared!.element, options!.element);
  }

  update(item: Item, recipe: TransitionRecipe): void {
    [this.item, this.recipe] = [item, recipe];
    const view = viewOf(this.studio, item, recipe, this.found);
    for (const section of this.sections) section.update(view);
    const { error, working } = this.studio.progressOf(item.id);
    this.status.textContent = error ?? "";
    this.status.hidden = error === null;
    this.status.classList.toggle("bad", error !== null);
    this.play.disabled = error !== null || working || !this.studio.motion(item.id);
    void this.fetch();
  }

  /** Play from a moment before the first seam, with the result selected. */
  private playOver(): void {
    const { playback } = this.studio;
    const head = this.studio.motion(this.id)?.head;
    if (!head) return;
    playback.seek(Math.max(0, (head.seams[0] ?? 0) / head.fps - RUN_UP));
    playback.play(1);
  }

  /** Compare the methods, unless nothing that they depend on has changed; one request at a time, the latest counts. */
  private async fetch(): Promise<void> {
    if (this.asking) return;
    for (let wanted = this.wanted(); wanted !== this.asked; wanted = this.wanted()) {
      this.asked = wanted;
      this.asking = true;
      this.element.setAttribute("aria-busy", "true");
      try {
        this.found = await this.studio.server.json<Transitions>(`./api/transitions/${this.id}`);
      } catch (error) {
        this.found = null;
        this.studio.sayErrorAbout(this.id, error);
      }
      this.asking = false;
      this.element.removeAttribute("aria-busy");
      this.refreshSections();
    }
  }

  private refreshSections(): void {
    const view = viewOf(this.studio, this.item, this.recipe, this.found);
    for (const section of this.sections) section.update(view);
  }

  /** All that the measures depend on; the method that is chosen is none of it. */
  private wanted(): string {
    const { method: _, ...rest } = this.recipe;
    const keys = [rest.first, rest.second].map((id) => this.studio.motion(id)?.key);
    return JSON.stringify([rest, keys]);
  }
}
