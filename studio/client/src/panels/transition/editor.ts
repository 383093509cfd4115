import { LatestRequest } from "../../core/latest_request";
import type { MethodMeasures, TransitionRecipe, Transitions } from "../../core/messages";
import type { View } from "../../core/panel";
import { Signal } from "../../core/signal";
import type { Studio } from "../../core/studio";

/** What the sections of the panel share: the transition, and what each method makes of it. */
export class TransitionEditor {
  /** The methods have been compared. */
  readonly changed = new Signal();
  /** Results of all methods; null until they are known. */
  results: Transitions | null = null;
  private view: View<"transition"> | null = null;
  private readonly request: LatestRequest<Transitions>;

  constructor(
    readonly studio: Studio,
    busy: (isBusy: boolean) => void,
  ) {
    this.request = new LatestRequest({
      key: () => this.view && this.key(this.view),
      subject: () => this.view && this.view.item.id,
      ask: () => studio.server.json<Transitions>(`./api/transitions/${this.view!.item.id}`),
      receive: (results) => {
        this.results = results;
        this.changed.emit();
      },
      fail: (error) => {
        this.results = null;
        studio.sayErrorAbout(this.view?.item.id ?? "", error);
        this.changed.emit();
      },
      busy,
    });
  }

  /** Show a transition as it is now. */
  update(view: View<"transition">): void {
    if (view.item.id !== this.view?.item.id) this.results = null;
    this.view = view;
    void this.request.update();
  }

  get recipe(): TransitionRecipe {
    return this.view!.recipe;
  }

  change(fields: Partial<TransitionRecipe>): void {
    this.view?.change(fields);
  }

  /** Whether the transition point and its width are found automatically. */
  get isAutomatic(): boolean {
    return this.recipe.at === null && this.recipe.half_width === null;
  }

  /** The result of the chosen method; null if it is not known yet or failed. */
  get result(): MethodMeasures | null {
    const measures = this.results?.methods.find(({ method }) => method === this.recipe.method) ?? null;
    return measures?.error === null ? measures : null;
  }

  /** The frames that meet: as requested, as found, or else the middle frames of the clips. */
  get meetingFrames(): [number, number] {
    const { at, first, second } = this.recipe;
    const middle = (id: string): number => Math.floor((this.studio.motion(id)?.nFrames ?? 0) / 2);
    const [a, b] = at ?? this.result?.at ?? [middle(first), middle(second)];
    return [Math.round(a), Math.round(b)];
  }

  /** Everything that the results depend on; not the chosen method, since all are compared. */
  private key({ item, recipe }: View<"transition">): string {
    const { method: _, ...rest } = recipe;
    const motions = [rest.first, rest.second].map((id) => this.studio.motion(id)?.key);
    return JSON.stringify([item.id, rest, motions]);
  }
}
