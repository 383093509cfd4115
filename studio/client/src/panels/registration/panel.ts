import { element, showOnly } from "../../core/dom";
import type { BlendRecipe, Item, Problem, RegistrationHead } from "../../core/messages";
import type { Panel } from "../../core/panel";
import { newBlend } from "../../core/recipes";
import type { Studio } from "../../core/studio";
import { clipPair } from "../../widgets/clip_pair";
import { choice } from "../../widgets/fields";
import { Grid } from "./grid";
import { comparison } from "./comparison";
import { jointWeights } from "./joint_weights";
import { registrationOptions } from "./options";
import { statedFrames } from "./stated";
import { type RegistrationView, viewOf } from "./view";

const HELP =
  "How the clips of a blend correspond. The map compares every two frames, and the curve is the way through that the " +
  "blend takes. Point at it to see both poses, click frames that must meet to pin them, or let the clips start there. " +
  "With the map in focus, arrow keys move the cursor, Enter pins and Delete removes.";
const HINT = "Select a blend to see how its clips correspond, or choose two clips to compare.";

/** The registration of the selected blend: its grid, its curve, and what can be changed about it. */
export function registrationPanel(studio: Studio): Panel {
  const box = element("div", { class: "panel-body registration-panel" });
  const chooser = clipPair(
    studio,
    { hint: HINT, first: "First clip", second: "Second clip", make: "Register them" },
    (...ids) => studio.do({ type: "add", name: "blend", recipe: newBlend(ids) }),
  );
  let shown: Shown | null = null;

  const refresh = (): void => {
    if (!box.offsetParent) return; // fetched when somebody looks
    const item = studio.selected;
    if (item?.recipe.type !== "blend") {
      shown = null;
      chooser.update();
      showOnly(box, chooser.element);
      return;
    }
    const outline = outlineOf(studio, item, item.recipe);
    if (shown?.outline !== outline) {
      shown = new Shown(studio, item, item.recipe, outline);
      showOnly(box, shown.element);
    }
    shown.update(item, item.recipe);
  };
  studio.documentChanged.on(refresh);
  studio.selectionChanged.on(refresh);
  studio.itemChanged.on((id) => {
    const recipe = studio.selected?.recipe;
    if (recipe?.type === "blend" && (id === studio.selected?.id || recipe.sources.includes(id))) refresh();
  });
  studio.playback.moved.on(() => shown?.follow());
  studio.theme.changed.on(() => shown?.repaint());
  new ResizeObserver(refresh).observe(box); // also tells when the tab is opened
  return { id: "registration", title: "Registration", help: HELP, element: box };
}

/** What the panel is built for; names and colours are drawn, so they count too. */
function outlineOf(studio: Studio, item: Item, recipe: BlendRecipe): string {
  const clips = recipe.sources.map((id) => [id, studio.item(id)?.name, studio.item(id)?.colour]);
  return JSON.stringify([item.id, clips]);
}

/** The panel for one blend. */
class Shown {
  readonly element: HTMLElement;
  private view: RegistrationView;
  private pair: [number, number] = [0, 1];
  private asked = "";
  private asking = false;
  private readonly verdict = element("p", { class: "verdict", role: "status" });
  private readonly report = element("details", { class: "report" });
  private readonly comparison;
  private readonly sections;

  constructor(
    private readonly studio: Studio,
    item: Item,
    recipe: BlendRecipe,
    readonly outline: string,
  ) {
    this.view = viewOf(studio, item, recipe, this.pair);
    const stated = statedFrames(this.view);
    this.comparison = comparison(stated);
    this.sections = { stated, options: registrationOptions(this.view), joints: jointWeights(this.view) };
    const { options, joints } = this.sections;
    this.element = element(
      "div",
      {},
      ...this.pairFields(recipe),
      this.verdict,
      this.comparison.element,
      stated.element,
      this.report,
      options.element,
      joints.element,
    );
    this.verdict.textContent = "Comparing the clips…";
  }

  update(item: Item, recipe: BlendRecipe): void {
    this.view = viewOf(this.studio, item, recipe, this.pair);
    for (const section of Object.values(this.sections)) section.update(this.view);
    this.comparison.update(this.view);
    void this.fetch();
  }

  follow(): void {
    const motion = this.studio.motion(this.view.item.id);
    if (!motion?.arrays["frames"]) return;
    const frame = Math.round(motion.frameAt(this.studio.playback.time));
    const [a, b] = this.pair.map((column) => motion.value("frames", frame, column));
    this.comparison.follow(a === undefined || b === undefined ? null : [a, b]);
  }

  repaint(): void {
    this.comparison.repaint();
  }

  /** Get the grid, unless nothing that it depends on has changed; one request at a time, the latest counts. */
  private async fetch(): Promise<void> {
    const { studio } = this;
    if (this.asking) return;
    for (let wanted = this.wanted(); wanted !== this.asked; wanted = this.wanted()) {
      this.asked = wanted;
      this.asking = true;
      this.element.setAttribute("aria-busy", "true");
      const { id } = this.view.item;
      const [a, b] = this.pair;
      try {
        const pack = await studio.server.pack<RegistrationHead | Problem>(`./api/registration/${id}?a=${a}&b=${b}`);
        if ("error" in pack.head) this.say("bad", pack.head.error, []);
        else this.show(new Grid({ head: pack.head, arrays: pack.arrays }));
      } catch (error) {
        studio.sayErrorAbout(id, error);
      }
      this.asking = false;
      this.element.removeAttribute("aria-busy");
    }
  }

  private wanted(): string {
    const { recipe } = this.view;
    const keys = recipe.sources.map((id) => this.studio.motion(id)?.key);
    return JSON.stringify([this.pair, recipe.registration, keys]);
  }

  private show(grid: Grid): void {
    const { head } = grid;
    const kind = { good: "good", doubtful: "warn", unfit: "bad" }[head.verdict];
    // What speaks against clips that go well together is left to the report.
    const reason = head.verdict === "good" ? "" : ` (${head.reason})`;
    this.say(kind, `${head.sentence}${reason}`, [head.reason, ...head.lines]);
    this.comparison.show(this.view, grid);
    this.sections.options.showUsed(grid);
    this.sections.joints.showUsed(grid);
    this.follow();
  }

  private say(kind: string, sentence: string, lines: string[]): void {
    this.verdict.className = `verdict ${kind}`;
    this.verdict.textContent = capital(sentence);
    this.report.hidden = lines.length === 0;
    this.report.replaceChildren(
      element("summary", {}, "Report"),
      element("ul", {}, ...lines.map((line) => element("li", {}, capital(line)))),
    );
  }

  /** Which two of more clips than two are compared. */
  private pairFields(recipe: BlendRecipe): HTMLElement[] {
    if (recipe.sources.length < 3) return [];
    const names = Object.fromEntries(recipe.sources.map((id, n) => [n, this.studio.item(id)?.name ?? id]));
    const fields = ["First clip", "Second clip"].map((label, which) =>
      choice(label, names, (chosen: string) => {
        const other = 1 - which;
        // The clip that was compared with changes places with the one that is chosen.
        if (this.pair[other] === Number(chosen)) this.pair[other] = this.pair[which]!;
        this.pair[which] = Number(chosen);
        show();
        this.update(this.view.item, this.view.recipe);
      }),
    );
    const show = (): void => fields.forEach((field, n) => field.set(String(this.pair[n])));
    show();
    return fields.map((field) => field.element);
  }
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
