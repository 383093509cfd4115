import { LatestRequest } from "../../core/latest_request";
import type { BlendRecipe, ErrorResponse, RegistrationHeader, RegistrationRecipe } from "../../core/messages";
import type { View } from "../../core/panel";
import { Signal } from "../../core/signal";
import type { Studio } from "../../core/studio";
import { type Frames, Grid } from "./grid";

/** What the sections of the panel share: the blend, the two of its clips that are compared, and their distance grid. */
export class RegistrationEditor {
  /** Another pair of clips was chosen, or a grid or an error arrived. */
  readonly changed = new Signal();
  /** Indices of the sources that are compared, first and second. */
  pair: [number, number] = [0, 1];
  /** The grid of the pair; null until the first one arrives. */
  grid: Grid | null = null;
  /** Why the clips cannot be registered. */
  error: string | null = null;
  private view: View<"blend"> | null = null;
  private readonly request: LatestRequest<{ header: RegistrationHeader | ErrorResponse; grid: Grid | null }>;

  constructor(studio: Studio, busy: (isBusy: boolean) => void) {
    this.request = new LatestRequest({
      key: () =>
        this.view && JSON.stringify([this.view.item.id, this.pair, this.recipe.registration, this.motionKeys()]),
      subject: () => this.view && JSON.stringify([this.view.item.id, this.pair]),
      ask: async () => {
        const [a, b] = this.pair;
        const path = `./api/registration/${this.view!.item.id}?a=${a}&b=${b}`;
        const { header, arrays } = await studio.server.pack<RegistrationHeader | ErrorResponse>(path);
        return { header, grid: "error" in header ? null : new Grid({ header, arrays }) };
      },
      receive: ({ header, grid }) => {
        this.error = "error" in header ? header.error : null;
        this.grid = grid ?? this.grid;
        this.changed.emit();
      },
      fail: (error) => studio.sayErrorAbout(this.view?.item.id ?? "", error),
      busy,
    });
  }

  /** Show a blend as it is now. */
  update(view: View<"blend">): void {
    if (view.item.id !== this.view?.item.id) {
      [this.grid, this.error] = [null, null];
    }
    this.view = view;
    if (Math.max(...this.pair) >= view.recipe.sources.length) this.pair = [0, 1];
    void this.request.update();
  }

  get recipe(): BlendRecipe {
    return this.view!.recipe;
  }

  get options(): RegistrationRecipe {
    return this.recipe.registration;
  }

  /** The frames from which on the clips correspond; null where a rule says it. */
  get startFrames(): number[] | null {
    const { start } = this.options;
    return Array.isArray(start) ? start : null;
  }

  change(fields: Partial<RegistrationRecipe>): void {
    this.view?.change({ registration: { ...this.options, ...fields } });
  }

  /** Compare a source as the first (0) or second (1) clip; if it is the other one already, the two change places. */
  choose(which: 0 | 1, source: number): void {
    const other = which === 0 ? 1 : 0;
    if (this.pair[other] === source) this.pair[other] = this.pair[which];
    this.pair[which] = source;
    void this.request.update();
    this.changed.emit();
  }

  /** Name and colour of the first (0) or second (1) clip. */
  clip(which: 0 | 1): { name: string; colour: number } {
    const item = this.view?.studio.item(this.recipe.sources[this.pair[which]] ?? "");
    return { name: item?.name ?? "clip", colour: item?.colour ?? 0 };
  }

  get names(): [string, string] {
    return [this.clip(0).name, this.clip(1).name];
  }

  /** Frames can be pinned in blends of two clips only. */
  get canPin(): boolean {
    return this.recipe.sources.length === 2;
  }

  /** Convert frames from the order of the sources to that of the pair, or back. */
  reorder(frames: readonly number[]): Frames {
    return [frames[this.pair[0]]!, frames[this.pair[1]]!];
  }

  private motionKeys(): (string | undefined)[] {
    return this.recipe.sources.map((id) => this.view?.studio.motion(id)?.key);
  }
}
