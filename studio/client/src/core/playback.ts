import { clamp } from "./numbers";
import { Signal } from "./signal";

/** The playhead: a time in seconds that plays, loops and can be set. */
export class Playback {
  readonly moved = new Signal<number>();
  readonly changed = new Signal();
  private seconds = 0;
  private last = 0;
  private running = false;
  private factor = 1;
  private looping = true;
  private length = 0;

  get time(): number {
    return this.seconds;
  }

  get playing(): boolean {
    return this.running;
  }

  get speed(): number {
    return this.factor;
  }

  get loop(): boolean {
    return this.looping;
  }

  /** Seconds that can be played: the duration of the selected clip. */
  get duration(): number {
    return this.length;
  }

  set duration(seconds: number) {
    this.length = seconds;
    if (this.seconds > seconds) this.seek(seconds);
    if (seconds <= 0) this.running = false; // a single frame does not play
    this.changed.emit();
  }

  set speed(factor: number) {
    this.factor = factor;
    this.changed.emit();
  }

  set loop(looping: boolean) {
    this.looping = looping;
    this.changed.emit();
  }

  play(speed = this.factor): void {
    if (this.length <= 0) return;
    if (this.seconds >= this.length && speed > 0 && !this.looping) this.seconds = 0;
    this.factor = speed;
    this.running = true;
    this.last = performance.now();
    this.changed.emit();
  }

  pause(): void {
    this.running = false;
    this.changed.emit();
  }

  seek(seconds: number): void {
    this.seconds = clamp(seconds, 0, this.length);
    this.moved.emit(this.seconds);
  }

  /** Advance by the time that has passed; called once per repaint. */
  tick(now: number): void {
    if (!this.running) return;
    // The time of a repaint can lie before the moment when Play was pressed.
    const passed = (Math.max(0, now - this.last) / 1000) * this.factor;
    this.last = now;
    let next = this.seconds + passed;
    if (this.looping) next = ((next % this.length) + this.length) % this.length;
    else if ((passed > 0 && next >= this.length) || (passed < 0 && next <= 0)) this.pause();
    this.seek(next);
  }
}
