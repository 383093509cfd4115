/** Pixels of the view that buttons cover, from its top and from its bottom. */
export interface Covered {
  top: number;
  bottom: number;
}

/** Find what the buttons of a viewport cover. */
export function findCovered(host: HTMLElement): Covered {
  const view = host.getBoundingClientRect();
  const covered = { top: 0, bottom: 0 };
  for (const tools of host.querySelectorAll(".view-tools")) {
    const box = tools.getBoundingClientRect();
    if (tools.classList.contains("from")) covered.bottom = Math.max(covered.bottom, view.bottom - box.top);
    else covered.top = Math.max(covered.top, box.bottom - view.top);
  }
  return covered;
}
