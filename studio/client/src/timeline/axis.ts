import { Signal } from "../core/signal";

/** Pixels left free at both ends, so that a handle at an end can still be seen and taken hold of. */
const MARGIN = 10;
/** Seconds that fill the axis when it is zoomed in as far as it goes. */
const SHORTEST = 0.05;
/** Share of the axis that stays free in front of the playhead after the view has turned a page. */
const PAGE_MARGIN = 0.1;

/** The time axis that all lanes share: seconds to pixels and back. */
export class Axis {
  readonly changed = new Signal();
  private from = 0;
  private to = 1;
  private first = 0;
  private last = 1;
  private pixels = 2 * MARGIN + 1;
  /** Until somebody zooms, the axis shows everything there is, however long it gets. */
  private fitted = true;

  /** The seconds at both ends of what is in view. */
  get start(): number {
    return this.from;
  }

  get end(): number {
    return this.to;
  }

  /** The seconds at both ends of what there is. */
  get extent(): [number, number] {
    return [this.first, this.last];
  }

  get width(): number {
    return this.pixels;
  }

  get pixelsPerSecond(): number {
    return (this.pixels - 2 * MARGIN) / (this.to - this.from);
  }

  get isZoomed(): boolean {
    return this.to - this.from < (this.last - this.first) * (1 - 1e-6);
  }

  x(seconds: number): number {
    return MARGIN + (seconds - this.from) * this.pixelsPerSecond;
  }

  seconds(x: number): number {
    return this.from + (x - MARGIN) / this.pixelsPerSecond;
  }

  set width(pixels: number) {
    this.pixels = Math.max(pixels, 2 * MARGIN + 1);
    this.changed.emit();
  }

  setExtent(first: number, last: number): void {
    const end = Math.max(last, first + SHORTEST);
    if (first === this.first && end === this.last) return;
    [this.first, this.last] = [first, end];
    if (this.fitted) this.fit();
    else this.look(this.from, this.to);
  }

  /** Show everything. */
  fit(): void {
    this.fitted = true;
    this.look(this.first, this.last);
  }

  /** Show `factor` times as much, with the time at pixel `x` staying where it is. */
  zoom(factor: number, x = this.pixels / 2): void {
    const around = this.seconds(x);
    const length = Math.min(Math.max((this.to - this.from) * factor, SHORTEST), this.last - this.first);
    const share = (around - this.from) / (this.to - this.from);
    this.look(around - share * length, around + (1 - share) * length);
    this.fitted = !this.isZoomed;
  }

  pan(seconds: number): void {
    this.look(this.from + seconds, this.to + seconds);
  }

  /** Turn the page where a time is out of view. */
  reveal(seconds: number): void {
    const length = this.to - this.from;
    if (seconds >= this.from && seconds <= this.to) return;
    const start = seconds > this.to ? seconds - PAGE_MARGIN * length : seconds - (1 - PAGE_MARGIN) * length;
    this.look(start, start + length);
  }

  /** Count time from another moment on: what is in view stays in view when the extent follows. */
  shift(seconds: number): void {
    if (this.fitted) return;
    this.first += seconds;
    this.last += seconds;
    this.look(this.from + seconds, this.to + seconds);
  }

  private look(from: number, to: number): void {
    const length = Math.min(to - from, this.last - this.first);
    this.from = Math.min(Math.max(from, this.first), this.last - length);
    this.to = this.from + length;
    this.changed.emit();
  }
}
