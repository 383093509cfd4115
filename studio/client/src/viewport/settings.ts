import { read, write } from "../core/memory";
import { Signal } from "../core/signal";
import type { ShapeName } from "./shape";

/** What the viewport shows; remembered on this machine. */
export interface View {
  shape: ShapeName;
  ghosts: boolean;
  before: boolean;
  plants: boolean;
  path: boolean;
  onion: boolean;
  /** Frames from one pose of the onion skin to the next. */
  onionStep: number;
  follow: boolean;
  sideBySide: boolean;
  /** Clips that have nothing to do with the selected one are faint. */
  onlySelected: boolean;
  grid: boolean;
}

const FIRST: View = {
  shape: "capsules",
  ghosts: true,
  before: false,
  plants: true,
  path: true,
  onion: false,
  onionStep: 10,
  follow: true,
  sideBySide: false,
  onlySelected: true,
  grid: true,
};

export class Settings {
  readonly changed = new Signal();
  readonly view: Readonly<View> = { ...FIRST, ...read<Partial<View>>("view", {}) };

  set<Name extends keyof View>(name: Name, value: View[Name]): void {
    (this.view as View)[name] = value;
    write("view", this.view);
    this.changed.emit();
  }
}
