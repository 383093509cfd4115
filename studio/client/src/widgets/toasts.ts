import { element } from "../core/dom";
import { iconButton } from "./button";

const INFO_SECONDS = 5;

/** Short messages in the corner: errors stay until they are dismissed, the rest goes by itself. */
export class Toasts {
  // Screen readers announce what is added to regions that were there before.
  private readonly errors = element("div", { role: "alert", class: "toast-list" });
  private readonly infos = element("div", { role: "status", class: "toast-list" });
  readonly element = element("div", { class: "toasts" }, this.errors, this.infos);

  error(text: string): void {
    const same = [...this.errors.children].find((toast) => toast.querySelector("p")?.textContent === sentence(text));
    same?.remove(); // the same trouble again moves to the end instead of filling the corner
    this.errors.append(this.made("error", text));
  }

  info(text: string): void {
    const toast = this.made("info", text);
    this.infos.append(toast);
    setTimeout(() => toast.remove(), INFO_SECONDS * 1000);
  }

  private made(kind: string, text: string): HTMLElement {
    const toast = element("div", { class: `toast ${kind}` }, element("p", {}, sentence(text)));
    toast.append(iconButton("close", "Dismiss this message", () => toast.remove()));
    return toast;
  }
}

/** Sentences of the library begin in lower case, since a file name often comes before them. */
function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
