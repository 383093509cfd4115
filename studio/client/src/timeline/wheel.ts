import type { Axis } from "./axis";

/** How much one pixel of the wheel zooms, and how far one line or page of it goes, in pixels. */
const ZOOM_PER_PIXEL = 0.002;
const LINE = 16;
const PAGE = 400;

/** The wheel over the lanes: with ctrl it zooms around the pointer, with shift (and on the ruler, and where there is
 * nothing to scroll to) it goes along in time, else it scrolls the lanes. `scale` is what pixels are counted in. */
export function attachWheel(body: HTMLElement, scale: HTMLElement, axis: Axis): void {
  body.addEventListener(
    "wheel",
    (event) => {
      const unit = [1, LINE, PAGE][event.deltaMode] ?? 1;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        axis.zoom(Math.exp(event.deltaY * unit * ZOOM_PER_PIXEL), event.clientX - scale.getBoundingClientRect().left);
        return;
      }
      const scrolls = body.scrollHeight > body.clientHeight && !scale.contains(event.target as Node);
      const along = event.deltaX + (event.shiftKey || !scrolls ? event.deltaY : 0);
      if (along === 0) return;
      event.preventDefault();
      axis.pan((along * unit) / axis.pixelsPerSecond);
    },
    { passive: false },
  );
}
