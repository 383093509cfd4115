type Attributes = Record<string, string | number | boolean | null | ((event: never) => void)>;
type Child = Node | string | null;

/** An element with attributes, listeners (`onclick: …`) and children. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** Let an element have these children and no others. Children that are in their place stay there: whatever is taken
 * out and put in again loses the focus. */
export function showOnly(box: HTMLElement, ...children: HTMLElement[]): void {
  const inPlace =
    box.childNodes.length === children.length && children.every((child, n) => child === box.childNodes[n]);
  if (!inPlace) box.replaceChildren(...children);
}
