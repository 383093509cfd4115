import { element } from "./core/dom";
import { splitter } from "./widgets/splitter";

const SMALLEST_VIEWPORT = { width: 320, height: 160 };
const HEADER_HEIGHT = 44;

/** The parts of the page. */
export interface Parts {
  header: HTMLElement;
  left: HTMLElement;
  centre: HTMLElement;
  right: HTMLElement;
  bottom: HTMLElement;
}

/** The parts put together, with bars between them that resize them. */
export function layout(parts: Parts): HTMLElement {
  const sizes = { left: 0, right: 0, bottom: 0 };
  const page = element("div", { class: "layout" });
  const resized = (name: keyof typeof sizes) => (size: number) => {
    sizes[name] = size;
    page.style.setProperty(`--${name}-size`, `${size}px`);
  };
  const left = splitter({
    name: "left",
    label: "Width of the clip list",
    direction: "horizontal",
    side: 1,
    size: 248,
    min: 180,
    max: () => innerWidth - sizes.right - SMALLEST_VIEWPORT.width,
    changed: resized("left"),
  });
  const right = splitter({
    name: "right",
    label: "Width of the panels",
    direction: "horizontal",
    side: -1,
    size: 340,
    min: 280,
    max: () => innerWidth - sizes.left - SMALLEST_VIEWPORT.width,
    changed: resized("right"),
  });
  const bottom = splitter({
    name: "bottom",
    label: "Height of the timeline",
    direction: "vertical",
    side: -1,
    size: 220,
    min: 96,
    max: () => innerHeight - HEADER_HEIGHT - SMALLEST_VIEWPORT.height,
    changed: resized("bottom"),
  });
  page.append(parts.header, parts.left, left, parts.centre, right, parts.right, bottom, parts.bottom);
  return page;
}
