import type { Studio } from "../core/studio";

/** Draws when something changed, and time after time while the playhead runs; otherwise it rests. It is what moves the
 * playhead on. */
export class Loop {
  private pending = false;
  private dirty = true;
  private last = 0;

  /** `draw` is told the milliseconds since the picture before, or 0 where nothing asked for one after the other. */
  constructor(
    private readonly studio: Studio,
    private readonly draw: (passed: number) => void,
  ) {
    studio.playback.changed.on(() => this.request());
    studio.playback.moved.on(() => this.request());
    this.request();
  }

  request(): void {
    this.dirty = true;
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame((now) => this.picture(now));
  }

  private picture(now: number): void {
    const { playback, live } = this.studio;
    playback.tick(now);
    this.pending = false;
    if (this.dirty) {
      this.dirty = false;
      this.draw(this.last === 0 ? 0 : now - this.last);
    }
    this.last = playback.playing || live.running ? now : 0;
    if (playback.playing) this.request();
  }
}
