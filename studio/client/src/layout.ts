import { element } from "./core/dom";
import { clamp } from "./core/numbers";
import { splitter } from "./widgets/splitter";

const MIN_VIEWPORT = { width: 320, height: 160 };
const HEADER_HEIGHT = 44;

/** The parts of the page. */
export interface Parts {
  header: HTMLElement;
  left: HTMLElement;
  centre: HTMLElement;
  right: HTMLElement;
  bottom: HTMLElement;
}

/** Arrange the parts of the page, with bars between them to resize them. */
export function layout(parts: Parts): HTMLElement {
  const sizes = { left: 0, right: 0, bottom: 0 };
  const page = element("div", { class: "layout" });
  const resize = (name: keyof typeof sizes) => (size: number) => {
    sizes[name] = size;
    page.style.setProperty(`--${name}-size`, `${size}px`);
  };
  const left = splitter({
    name: "left",
    label: "Width of the clip list",
    direction: "horizontal",
    side: 1,
    defaultSize: () => clamp(0.16 * innerWidth, 248, 320),
    min: 180,
    max: () => innerWidth - sizes.right - MIN_VIEWPORT.width,
    onChange: resize("left"),
  });
  const right = splitter({
    name: "right",
    label: "Width of the panels",
    direction: "horizontal",
    side: -1,
    defaultSize: () => clamp(0.24 * innerWidth, 360, 480),
    min: 280,
    max: () => innerWidth - sizes.left - MIN_VIEWPORT.width,
    onChange: resize("right"),
  });
  const bottom = splitter({
    name: "bottom",
    label: "Height of the timeline",
    direction: "vertical",
    side: -1,
    defaultSize: () => clamp(0.26 * innerHeight, 220, 300),
    min: 96,
    max: () => innerHeight - HEADER_HEIGHT - MIN_VIEWPORT.height,
    onChange: resize("bottom"),
  });
  page.append(parts.header, parts.left, left, parts.centre, right, parts.right, bottom, parts.bottom);
  return page;
}
