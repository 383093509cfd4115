import { element } from "../core/dom";
import type { Task } from "../core/task";
import { capitalize } from "../core/text";
import { iconButton } from "./buttons";

const INFO_SECONDS = 5;

/** Short messages in the corner: errors stay until dismissed, others disappear by themselves. */
export class Toasts {
  // Screen readers announce what is added to a live region that already exists.
  private readonly errors = element("div", { role: "alert", class: "toast-list" });
  private readonly infos = element("div", { role: "status", class: "toast-list" });
  readonly element = element("div", { class: "toasts" }, this.errors, this.infos);

  error(text: string): void {
    const same = [...this.errors.children].find((toast) => toast.querySelector("p")?.textContent === capitalize(text));
    same?.remove(); // a repeated error moves to the end instead of filling the corner
    this.errors.append(this.create("error", text));
  }

  info(text: string): void {
    const toast = this.create("info", text);
    this.infos.append(toast);
    setTimeout(() => toast.remove(), INFO_SECONDS * 1000);
  }

  /** Show a task until it ends, with a button to cancel it where that is possible. */
  follow(task: Task): void {
    const toast = element("div", { class: "toast info" }, element("p", {}, capitalize(task.text)));
    if (task.cancel) toast.append(element("button", { type: "button", onclick: () => task.cancel?.() }, "Cancel"));
    this.infos.append(toast);
    task.changed.on((text) => (toast.firstElementChild!.textContent = capitalize(text)));
    task.ended.on((text) => {
      toast.remove();
      if (text) this.info(text);
    });
  }

  private create(kind: string, text: string): HTMLElement {
    const toast = element("div", { class: `toast ${kind}` }, element("p", {}, capitalize(text)));
    toast.append(iconButton("close", "Dismiss", () => toast.remove()));
    return toast;
  }
}
