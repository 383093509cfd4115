import type { Connection } from "./connection";
import type { LiveHead, LiveReady } from "./messages";
import { unpack } from "./packs";
import { Signal } from "./signal";

/** A pose of live control. */
export interface SteeredPose {
  head: LiveHead;
  positions: Float32Array;
}

/** Steps that may be on their way at once: one is being made while the next is already asked for. */
const MOST_PENDING = 2;
/** A tab in the background is not drawn; what nobody watched is left out. Seconds. */
const LONGEST_STEP = 0.25;
const KEPT_ROUND_TRIPS = 1000;

/** Steering a blend while it runs: weights go up, poses come down, and only the latest weights count. */
export class LiveControl {
  readonly started = new Signal<LiveReady>();
  readonly posed = new Signal<SteeredPose>();
  readonly stopped = new Signal();
  /** Milliseconds from asking for a pose to having it, the latest last. */
  readonly roundTrips: number[] = [];
  ready: LiveReady | null = null;
  weights: number[] = [];
  private serial = 0;
  private last = 0;
  private request = 0;
  private readonly pending = new Map<number, number>();

  constructor(private readonly connection: Connection) {
    connection.received.on((message) => {
      if (message.type === "live_ready") this.begin(message);
    });
    connection.receivedBinary.on((bytes) => this.take(bytes));
    connection.changed.on((connected) => {
      if (!connected) this.end();
    });
  }

  get running(): boolean {
    return this.ready !== null;
  }

  /** Begin with the clips of a blend; false where there is no connection. */
  start(item: string, weights: number[]): boolean {
    this.weights = weights;
    return this.connection.send({ type: "live_start", item, weights, u: null });
  }

  stop(): void {
    if (!this.running) return;
    this.connection.send({ type: "live_stop" });
    this.end();
  }

  private begin(ready: LiveReady): void {
    cancelAnimationFrame(this.request);
    this.ready = ready;
    this.pending.clear();
    this.last = performance.now();
    this.started.emit(ready);
    this.ask();
  }

  private end(): void {
    if (!this.running) return;
    cancelAnimationFrame(this.request);
    this.ready = null;
    this.pending.clear();
    this.stopped.emit();
  }

  /** Ask for the next pose, once per picture. */
  private ask(): void {
    this.request = requestAnimationFrame(() => this.ask());
    if (this.pending.size >= MOST_PENDING) return;
    const now = performance.now();
    const dt = Math.min((now - this.last) / 1000, LONGEST_STEP);
    const serial = ++this.serial;
    if (!this.connection.send({ type: "live_step", serial, dt, weights: this.weights })) return;
    this.pending.set(serial, now);
    this.last = now;
  }

  private take(bytes: ArrayBuffer): void {
    if (!this.running) return;
    const { head, arrays } = unpack<LiveHead>(bytes);
    const asked = this.pending.get(head.serial);
    // The server answers the latest weights only: whatever was asked before will not be answered.
    for (const serial of [...this.pending.keys()]) if (serial <= head.serial) this.pending.delete(serial);
    if (asked !== undefined) {
      this.roundTrips.push(performance.now() - asked);
      if (this.roundTrips.length > KEPT_ROUND_TRIPS) this.roundTrips.shift();
    }
    this.posed.emit({ head, positions: arrays["positions"]!.values });
  }
}
