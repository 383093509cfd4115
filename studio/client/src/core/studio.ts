import { Characters, MANNEQUIN } from "./characters";
import { CheckedClips } from "./checked";
import { Connection } from "./connection";
import { isSame } from "./edits";
import { Gesture } from "./gesture";
import { GizmoControl } from "./gizmo";
import { LiveControl, type LiveFrame } from "./live";
import type { ClipEdit, Document, Edit, FromServer, Item, Recipe, StudioState } from "./messages";
import type { Motion } from "./motion";
import { Playback } from "./playback";
import { OutdatedError, RequestError, Server } from "./server";
import { Shortcuts } from "./shortcuts";
import { Signal } from "./signal";
import { Task } from "./task";
import { Theme } from "./theme";
import { UnansweredEdits } from "./unanswered_edits";

/** Progress of computing a clip. */
export interface Progress {
  working: boolean;
  done: number;
  total: number;
  error: string | null;
}

/** A joint of a clip, by name. */
export interface PickedJoint {
  item: string;
  joint: string;
}

/** A pose (J, 3) of live control, shown in place of the motion of a clip. */
export interface LivePose {
  item: string;
  parents: number[];
  positions: Float32Array;
  rotations: Float32Array | null;
}

const EMPTY: Document = {
  type: "motionloom project",
  version: 1,
  items: [],
  next_number: 1,
  characters: [],
  figure: MANNEQUIN,
};
const IDLE: Progress = { working: false, done: 0, total: 0, error: null };

/** The state of the page. Panels read it and listen to its signals; they change it only by edits. */
export class Studio {
  readonly documentChanged = new Signal<Document>();
  readonly selectionChanged = new Signal<Item | null>();
  /** A clip has new motion, progress or an error. */
  readonly itemChanged = new Signal<string>();
  readonly historyChanged = new Signal();
  readonly connectionChanged = new Signal<boolean>();
  readonly saved = new Signal<number>();
  /** A clip was exported to a file. */
  readonly exported = new Signal<string>();
  /** A message for the user: what went wrong and what to do, or what was done. */
  readonly spoke = new Signal<{ kind: "error" | "info"; text: string }>();

  /** Work has begun that takes a while. */
  readonly began = new Signal<Task>();

  /** The user needs a panel next, named by its id; ignored if there is none. */
  readonly panelRequested = new Signal<string>();
  /** The figure of a clip shows a live pose or, at null, its motion again. */
  readonly livePosed = new Signal<LivePose | null>();
  /** A joint was clicked in the viewport. */
  readonly jointPicked = new Signal<PickedJoint>();

  /** The gizmo that rotates or moves a joint in the viewport. */
  readonly gizmo = new GizmoControl();
  /** What the pointer does now: all edits of one drag are one undo step. */
  readonly gesture = new Gesture();
  readonly checked = new CheckedClips();
  readonly playback = new Playback();
  readonly shortcuts = new Shortcuts();
  readonly theme = new Theme();
  readonly connection: Connection;
  readonly server: Server;
  readonly live: LiveControl;
  readonly characters: Characters;

  /** What the server said last, with the page's own edits that it has not answered yet. */
  document: Document = EMPTY;
  state: StudioState | null = null;
  private readonly unanswered = new UnansweredEdits();
  private isAnnouncing = false;
  private selectedId: string | null = null;
  private items = new Map<string, Item>();
  private readonly motions = new Map<string, Motion>();
  private readonly progress = new Map<string, Progress>();
  private readonly keys = new Map<string, string>();

  constructor(token: string) {
    // The server is asked about clips as they are here, so it must know all edits first.
    this.server = new Server(token, () => this.unanswered.answered());
    this.characters = new Characters(this, this.server);
    this.connection = new Connection(token);
    this.live = new LiveControl(this.connection);
    this.live.posed.on((frame) => this.showLive(frame));
    this.live.stopped.on(() => this.livePosed.emit(null));
    this.connection.received.on((message) => this.receive(message));
    this.connection.changed.on((connected) => {
      if (!connected) this.dropUnanswered();
      this.connectionChanged.emit(connected);
    });
  }

  /** Send an edit. Changes within clips and of the character show at once; the list of clips changes once the server has
   * answered. */
  do(edit: Edit): void {
    if (!this.connection.connected) return this.sayDisconnected();
    const serial = this.unanswered.add(edit);
    this.connection.send({ type: "do", serial, edit, gesture: this.gesture.current });
    this.showUnanswered();
  }

  /** Add a clip; the server answers with the new document, and the clip is selected. */
  add(name: string, recipe: Recipe, edit: ClipEdit | null = null): void {
    this.do({ type: "add", name, recipe, edit });
  }

  setRecipe(item: string, recipe: Recipe): void {
    this.do({ type: "set_recipe", item, recipe });
  }

  undo(): void {
    if (!this.connection.send({ type: "undo" })) this.sayDisconnected();
  }

  redo(): void {
    if (!this.connection.send({ type: "redo" })) this.sayDisconnected();
  }

  /** Stop computing a clip; it fails until it changes or is computed again. */
  stopJob(item: string): void {
    if (!this.connection.send({ type: "stop", item })) this.sayDisconnected();
  }

  /** Compute a clip again that failed or was stopped. */
  makeAgain(item: string): void {
    if (!this.connection.send({ type: "make_again", item })) this.sayDisconnected();
  }

  item(id: string): Item | null {
    return this.items.get(id) ?? null;
  }

  /** Whether the server has answered all edits. */
  get isAnswered(): boolean {
    return this.unanswered.isEmpty;
  }

  /** The motion of a clip as last computed; during a change it is the previous one. */
  motion(id: string): Motion | null {
    return this.motions.get(id) ?? null;
  }

  progressOf(id: string): Progress {
    return this.progress.get(id) ?? IDLE;
  }

  get selected(): Item | null {
    return this.selectedId === null ? null : this.item(this.selectedId);
  }

  select(id: string | null): void {
    if (id === this.selectedId) return;
    this.selectedId = id;
    this.fitPlayback();
    this.selectionChanged.emit(this.selected);
  }

  sayError(error: unknown): void {
    if (error instanceof OutdatedError) return;
    const text = error instanceof RequestError ? error.message : `something went wrong on this page: ${String(error)}`;
    this.spoke.emit({ kind: "error", text });
  }

  /** Report a failed request about a clip, unless the clip is gone or shows an error of its own. */
  sayErrorAbout(id: string, error: unknown): void {
    if (this.item(id) && !this.progressOf(id).error) this.sayError(error);
  }

  /** Show that work goes on, until the returned task ends. */
  begin(text: string, cancel: (() => void) | null = null): Task {
    const task = new Task(text, cancel);
    this.began.emit(task);
    return task;
  }

  say(text: string): void {
    this.spoke.emit({ kind: "info", text });
  }

  private receive(message: FromServer): void {
    switch (message.type) {
      case "state":
        return this.receiveState(message);
      case "working":
        return this.setProgress(message.item, { working: true, done: message.done, total: message.total, error: null });
      case "failed":
        return this.setProgress(message.item, { ...IDLE, error: message.error });
      case "finished":
        void this.fetchMotion(message.item, message.key);
        return;
      case "applied":
        return this.receiveAnswer(message.serial);
      case "refused":
        if (message.serial !== null) this.receiveAnswer(message.serial);
        return this.spoke.emit({ kind: "error", text: message.error });
      case "saved":
        return this.saved.emit(message.revision);
      case "live_started":
        return; // LiveControl listens to the connection itself
    }
  }

  private receiveState(state: StudioState): void {
    const before = this.document.items.map((item) => item.id);
    const known = this.items;
    const first = this.state === null;
    this.state = state;
    this.setDocument(this.unanswered.apply(state.document));
    const ids = this.items;
    // Ids are used again after an undo: what is known about a removed clip must not pass to the next of its id.
    for (const kept of [this.motions, this.progress, this.keys])
      for (const id of [...kept.keys()]) if (!ids.has(id)) this.forget(id);
    this.checked.replace(this.checked.ids.filter((id) => ids.has(id)));
    this.documentChanged.emit(this.document);
    this.historyChanged.emit();
    const added = state.document.items.filter((item) => !known.has(item.id)).at(-1);
    const removedIndex = this.selectedId !== null && !ids.has(this.selectedId) ? before.indexOf(this.selectedId) : -1;
    if (removedIndex >= 0) this.select(this.neighbour(removedIndex));
    if (added && (!first || this.selectedId === null)) this.select(added.id);
  }

  private setDocument(document: Document): void {
    this.document = document;
    this.items = new Map(document.items.map((item) => [item.id, item]));
  }

  /** The server applied or refused an edit: what it made of it counts. */
  private receiveAnswer(serial: number): void {
    if (this.unanswered.answer(serial)) this.showUnanswered();
  }

  /** The connection was lost: whether the last edits reached the server shows when it is back. */
  private dropUnanswered(): void {
    if (this.unanswered.clear() === 0) return;
    this.showUnanswered();
    const text =
      "the connection was lost before your last change was answered; check it when the page is connected again";
    this.spoke.emit({ kind: "error", text });
  }

  /** Show the document with the edits that are not answered, once what is going on now has ended: an edit is often sent
   * by a part of the page that is being changed itself. No listener may answer with an edit, which would never end. */
  private showUnanswered(): void {
    if (!this.state) return;
    const before = this.document;
    this.setDocument(this.unanswered.apply(this.state.document));
    if (this.isAnnouncing || isSame(before, this.document)) return;
    this.isAnnouncing = true;
    queueMicrotask(() => {
      this.isAnnouncing = false;
      this.documentChanged.emit(this.document);
    });
  }

  /** The clip at a position of the list, or the last one. */
  private neighbour(index: number): string | null {
    const { items } = this.document;
    return items[Math.min(index, items.length - 1)]?.id ?? null;
  }

  private async fetchMotion(item: string, key: string): Promise<void> {
    this.keys.set(item, key);
    try {
      const motion = this.motions.get(item)?.key === key ? this.motions.get(item)! : await this.server.motion(key);
      if (this.keys.get(item) !== key) return; // a newer one is being fetched
      this.motions.set(item, motion);
      this.setProgress(item, IDLE);
      if (motion.header.has_more_notes) await this.fetchNotes(item, motion);
    } catch (error) {
      if (this.keys.get(item) === key) this.sayError(error);
    }
  }

  /** Ask for the notes that take longer to find than the motion takes to show. */
  private async fetchNotes(item: string, motion: Motion): Promise<void> {
    const notes = await this.server.notes(item);
    if (this.motions.get(item) !== motion) return; // there is a newer one
    Object.assign(motion.header, { notes, has_more_notes: false });
    this.itemChanged.emit(item);
  }

  private setProgress(item: string, progress: Progress): void {
    this.progress.set(item, progress);
    if (item === this.selectedId) this.fitPlayback();
    this.itemChanged.emit(item);
  }

  private showLive({ positions, rotations }: LiveFrame): void {
    const ready = this.live.ready;
    if (ready) this.livePosed.emit({ item: ready.item, parents: ready.parents, positions, rotations });
  }

  private fitPlayback(): void {
    const motion = this.selectedId === null ? null : this.motion(this.selectedId);
    if (motion) this.playback.duration = motion.duration;
    else if (this.document.items.length === 0) this.playback.duration = 0;
  }

  private forget(id: string): void {
    this.motions.delete(id);
    this.progress.delete(id);
    this.keys.delete(id);
  }

  private sayDisconnected(): void {
    this.spoke.emit({
      kind: "error",
      text: "the server does not respond, so nothing was changed; is `motionloom studio` still running?",
    });
  }
}
