import { Signal } from "./signal";
import { load, store } from "./storage";

export type ThemeChoice = "system" | "dark" | "light";

/** Dark or light, as chosen or as the system is set. Code that draws on a canvas reads its colours again on `changed`. */
export class Theme {
  readonly changed = new Signal();
  private readonly systemIsLight = matchMedia("(prefers-color-scheme: light)");
  private chosen: ThemeChoice = load("theme", "system");

  constructor() {
    this.systemIsLight.addEventListener("change", () => this.apply());
    this.apply();
  }

  get choice(): ThemeChoice {
    return this.chosen;
  }

  set choice(choice: ThemeChoice) {
    this.chosen = choice;
    store("theme", choice);
    this.apply();
  }

  private apply(): void {
    const light = this.chosen === "light" || (this.chosen === "system" && this.systemIsLight.matches);
    document.documentElement.dataset["theme"] = light ? "light" : "dark";
    this.changed.emit();
  }
}

/** The value of a custom property of tokens.css, such as "--accent". */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
