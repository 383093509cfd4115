import type { Connection } from "./connection";
import type { LiveHeader, LiveStarted } from "./messages";
import type { SpeedAndTurn } from "./motion";
import { unpack } from "./packs";
import { Signal } from "./signal";

/** A pose of live control. */
export interface LiveFrame {
  header: LiveHeader;
  positions: Float32Array;
  rotations: Float32Array | null;
}

/** What a step asks for. */
interface Asked {
  weights: number[];
  speedAndTurn: SpeedAndTurn | null;
}

/** Requests that may be pending at once: one is computed while the next already waits. */
const MAX_PENDING = 2;
/** Seconds per step at most: a tab in the background skips the time it was not drawn. */
const MAX_STEP = 0.25;
const MAX_ROUND_TRIPS = 1000;

/** Plays a blend while its weights change: the page sends weights, the server answers with poses, and only the latest
 * weights count. */
export class LiveControl {
  /** A start was asked for, which takes a while if clips have to be registered first. */
  readonly starting = new Signal<string>();
  readonly started = new Signal<LiveStarted>();
  readonly posed = new Signal<LiveFrame>();
  /** Steering ended, or its start was cancelled or refused. */
  readonly stopped = new Signal();
  /** Milliseconds from the request for a pose to its arrival, latest last. */
  readonly roundTrips: number[] = [];
  ready: LiveStarted | null = null;
  weights: number[] = [];
  /** The speed and turn asked for; null while weights are chosen directly. */
  speedAndTurn: SpeedAndTurn | null = null;
  /** The blend that is steered or about to be. */
  private item: string | null = null;
  /** What was asked for last, and whether the server refused it: then it is not asked for again. */
  private asked: Asked | null = null;
  private isRefused = false;
  private serial = 0;
  private last = 0;
  private request = 0;
  private readonly pending = new Map<number, number>();

  constructor(private readonly connection: Connection) {
    connection.received.on((message) => {
      if (message.type === "live_started" && message.item === this.item) this.begin(message);
      if (message.type === "refused" && message.steering) this.receiveRefusal();
    });
    connection.receivedBinary.on((bytes) => this.receive(bytes));
    connection.changed.on((connected) => {
      if (!connected) this.end();
    });
  }

  get running(): boolean {
    return this.ready !== null;
  }

  get isStarting(): boolean {
    return this.item !== null && !this.running;
  }

  /** Start with the clips of a blend; false if there is no connection. */
  start(item: string, weights: number[]): boolean {
    if (!this.connection.send({ type: "live_start", item, weights, u: null, loops: true })) return false;
    this.end();
    this.item = item;
    this.weights = weights;
    this.speedAndTurn = null;
    this.starting.emit(item);
    return true;
  }

  /** Stop steering, or cancel the start. */
  stop(): void {
    if (this.item === null) return;
    this.connection.send({ type: "live_stop" });
    this.end();
  }

  private begin(ready: LiveStarted): void {
    cancelAnimationFrame(this.request);
    this.ready = ready;
    this.pending.clear();
    this.isRefused = false;
    this.last = performance.now();
    this.started.emit(ready);
    this.ask();
  }

  private end(): void {
    if (this.item === null) return;
    cancelAnimationFrame(this.request);
    this.item = null;
    this.ready = null;
    this.pending.clear();
    this.stopped.emit();
  }

  /** Ask for the next pose, once per repaint. */
  private ask(): void {
    this.request = requestAnimationFrame(() => this.ask());
    if (this.pending.size >= MAX_PENDING) return;
    const { weights, speedAndTurn } = this;
    const isSame = this.asked?.weights === weights && this.asked.speedAndTurn === speedAndTurn;
    if (this.isRefused && isSame) return;
    const now = performance.now();
    const dt = Math.min((now - this.last) / 1000, MAX_STEP);
    const serial = ++this.serial;
    const { speed = null, turn = null } = speedAndTurn ?? {};
    if (!this.connection.send({ type: "live_step", serial, dt, weights, speed, turn })) return;
    this.asked = { weights, speedAndTurn };
    this.pending.set(serial, now);
    this.last = now;
  }

  /** The server refused the start, or a step, which it will not answer otherwise. */
  private receiveRefusal(): void {
    if (!this.running) return this.end();
    this.pending.clear();
    this.isRefused = true;
  }

  private receive(bytes: ArrayBuffer): void {
    if (!this.running) return;
    const { header, arrays } = unpack<LiveHeader>(bytes);
    const sent = this.pending.get(header.serial);
    // The server answers the latest weights only: earlier requests will not be answered.
    for (const serial of [...this.pending.keys()]) if (serial <= header.serial) this.pending.delete(serial);
    if (sent !== undefined) {
      this.roundTrips.push(performance.now() - sent);
      if (this.roundTrips.length > MAX_ROUND_TRIPS) this.roundTrips.shift();
    }
    this.isRefused = false;
    if (this.speedAndTurn) this.weights = header.weights;
    this.posed.emit({
      header,
      positions: arrays["positions"]!.values,
      rotations: arrays["rotations"]?.values ?? null,
    });
  }
}
