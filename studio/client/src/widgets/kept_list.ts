/** Give a list new rows when their content changes, and only then, so that its buttons keep the focus. The focus of a
 * button that is replaced goes to the one that is at its position now or is the last, and else to `otherwise`. */
export function keptList(
  list: HTMLElement,
  otherwise: HTMLElement,
): (content: unknown, build: () => HTMLElement[]) => void {
  let builtFor = "";
  return (content, build) => {
    const wanted = JSON.stringify(content);
    if (wanted === builtFor) return;
    builtFor = wanted;
    const focused = [...list.querySelectorAll("button")].findIndex((button) => button === document.activeElement);
    list.replaceChildren(...build());
    if (focused < 0) return;
    const buttons = list.querySelectorAll("button");
    (buttons[Math.min(focused, buttons.length - 1)] ?? otherwise).focus();
  };
}
