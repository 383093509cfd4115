import { element, svgElement } from "../core/dom";

/** Body parts as the library names them, each with its outline on a 100 × 190 grid. */
const PARTS: Record<string, string> = {
  head: "M50 4a13 13 0 1 1 0 26a13 13 0 1 1 0 -26z",
  "upper body": "M36 34h28l4 10v44h-36v-44z",
  "right arm": "M30 36l-8 4l-8 52h9l9 -40z",
  "left arm": "M70 36l8 4l8 52h-9l-9 -40z",
  "lower body": "M33 92h34v14h-34z",
  "right leg": "M33 109h15v74h-13z",
  "left leg": "M52 109h15l-2 74h-13z",
};

/** A small figure, seen from the front, whose parts can be chosen by pointer or keyboard. */
export function bodyMap(onPick: (part: string) => void): {
  element: HTMLElement;
  /** Show which part is chosen and which have their own weights. */
  show: (chosen: string | null, masked: string[]) => void;
} {
  const svg = svgElement("svg", { viewBox: "0 0 100 190" });
  const shapes = new Map<string, SVGElement>();
  for (const [part, outline] of Object.entries(PARTS)) {
    const path = svgElement("path", {
      d: outline,
      tabindex: 0,
      role: "button",
      "aria-label": part,
      class: "body-part",
    });
    path.append(Object.assign(svgElement("title"), { textContent: part }));
    path.addEventListener("click", () => onPick(part));
    path.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      onPick(part);
    });
    shapes.set(part, path);
    svg.append(path);
  }
  return {
    element: element("div", { class: "body-map" }, svg),
    show: (chosen, masked) => {
      for (const [part, path] of shapes) {
        path.classList.toggle("chosen", part === chosen);
        path.classList.toggle("masked", masked.includes(part));
        path.setAttribute("aria-pressed", String(part === chosen));
      }
    },
  };
}

/** The body part that a joint belongs to, guessed from its name; null where the name does not tell. */
export function partOf(joint: string): string | null {
  const name = joint.toLowerCase();
  const side = /left|^l[_ ]?[a-z]|_l$|\.l$/.test(name)
    ? "left"
    : /right|^r[_ ]?[a-z]|_r$|\.r$/.test(name)
      ? "right"
      : null;
  if (side && /leg|thigh|calf|shin|knee|foot|ankle|toe|hip|femur|tibia/.test(name)) return `${side} leg`;
  if (side && /arm|shoulder|hand|wrist|elbow|clav|collar|humerus|radius|finger|thumb/.test(name)) return `${side} arm`;
  if (/head|neck/.test(name)) return "head";
  if (/spine|chest|torso|back|thorax/.test(name)) return "upper body";
  return /hip|pelvis|root/.test(name) ? "lower body" : null;
}
