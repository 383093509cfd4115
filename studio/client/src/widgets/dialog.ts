import { element } from "../core/dom";
import { iconButton } from "./buttons";

/** Open a dialog in front of the page. Esc and the cross close it; the focus returns to where it was. */
export function openDialog(title: string, ...content: (Node | string)[]): HTMLDialogElement {
  const before = document.activeElement;
  const dialog = element("dialog", { class: "dialog", "aria-label": title });
  dialog.append(
    element(
      "header",
      {},
      element("h2", {}, title),
      iconButton("close", "Close", () => dialog.close()),
    ),
    element("div", { class: "dialog-body" }, ...content),
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (before instanceof HTMLElement) before.focus();
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
