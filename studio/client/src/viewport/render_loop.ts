import type { Playback } from "../core/playback";

/** Draws when something has changed, continuously during playback. It also advances the playhead. */
export class RenderLoop {
  private pending = false;
  private dirty = true;
  private last = 0;

  /** `draw` gets the milliseconds since the previous repaint, or 0 if repaints were not consecutive; `isLive` tells
   * whether poses come from elsewhere, one after the other. */
  constructor(
    private readonly playback: Playback,
    private readonly draw: (passed: number) => void,
    private readonly isLive: () => boolean = () => false,
  ) {
    playback.changed.on(() => this.request());
    playback.moved.on(() => this.request());
    this.request();
  }

  request(): void {
    this.dirty = true;
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame((now) => this.repaint(now));
  }

  private repaint(now: number): void {
    const { playback } = this;
    playback.tick(now);
    this.pending = false;
    if (this.dirty) {
      this.dirty = false;
      this.draw(this.last === 0 ? 0 : now - this.last);
    }
    this.last = playback.playing || this.isLive() ? now : 0;
    if (playback.playing) this.request();
  }
}
