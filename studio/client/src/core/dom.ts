type Attributes = Record<string, string | number | boolean | null | ((event: never) => void)>;
type Child = Node | string | null;

const SVG = "http://www.w3.org/2000/svg";

/** Create an element with attributes, listeners (`onclick: …`) and children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const created = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") created.addEventListener(name.slice(2), value as EventListener);
    else if (name === "style")
      created.style.cssText = String(value); // pages without inline styles allow this
    else if (value === true) created.setAttribute(name, "");
    else if (value !== false && value !== null) created.setAttribute(name, String(value));
  }
  created.append(...children.filter((child) => child !== null));
  return created;
}

/** Create an SVG element with attributes and children. */
export function svgElement<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Record<string, string | number> = {},
  ...children: SVGElement[]
): SVGElementTagNameMap[Tag] {
  const created = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, String(value));
  created.append(...children);
  return created;
}

/** Give an element exactly these children. Children that are already in place are not touched: an element that is
 * taken out and put back loses the focus. */
export function showOnly(box: HTMLElement, ...children: HTMLElement[]): void {
  const inPlace =
    box.childNodes.length === children.length && children.every((child, n) => child === box.childNodes[n]);
  if (!inPlace) box.replaceChildren(...children);
}

/** Whether an element is laid out, so that somebody can see it. */
export function isVisible(box: HTMLElement): boolean {
  return box.offsetParent !== null;
}

/** Mark an element as waiting for the server, or not. */
export function setBusy(box: HTMLElement, isBusy: boolean): void {
  if (isBusy) box.setAttribute("aria-busy", "true");
  else box.removeAttribute("aria-busy");
}
