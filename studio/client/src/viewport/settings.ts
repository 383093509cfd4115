import { Signal } from "../core/signal";
import { load, store } from "../core/storage";
import type { ShapeName } from "./shape";

/** How clips other than the selected one are drawn; `alone` hides its sources as well. */
export type Others = "solid" | "faint" | "hidden" | "alone";

/** What the viewport shows; stored in this browser. */
export interface View {
  shape: ShapeName;
  ghosts: boolean;
  before: boolean;
  plants: boolean;
  path: boolean;
  onion: boolean;
  /** Frames between poses of the onion skin. */
  onionStep: number;
  follow: boolean;
  sideBySide: boolean;
  /** Figures stay where they start, as on a treadmill. */
  inPlace: boolean;
  others: Others;
  /** Viewer: the other figures are faded where they overlap. */
  isolate: boolean;
  grid: boolean;
  /** Names over figures, where there are several. */
  names: boolean;
  /** Stairs, blocks and targets of the selected warp. */
  objects: boolean;
}

const DEFAULTS: View = {
  shape: "capsules",
  ghosts: true,
  before: false,
  plants: true,
  path: true,
  onion: false,
  onionStep: 10,
  follow: true,
  sideBySide: false,
  inPlace: false,
  others: "faint",
  isolate: true,
  grid: true,
  names: true,
  objects: true,
};

export class Settings {
  readonly changed = new Signal();
  readonly view: Readonly<View>;

  /** `key` is the name under which they are stored; null stores nothing. */
  constructor(private readonly key: string | null = "view") {
    this.view = { ...DEFAULTS, ...(key === null ? {} : load<Partial<View>>(key, {})) };
  }

  set<Name extends keyof View>(name: Name, value: View[Name]): void {
    (this.view as View)[name] = value;
    if (this.key !== null) store(this.key, this.view);
    this.changed.emit();
  }
}
