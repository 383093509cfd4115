/** Pixels between the card, what it is about, and the edges of the window. */
const GAP = 16;
/** Pixels by which the outline is larger than what it is about. */
const OUTSET = 4;

/** The parts of the page; a card beside one of them covers nothing of it. */
const PARTS = ".layout > header, .left, .right, .bottom";

/** Outline a control and put the card beside the part that it is in; without one, the card lies over the picture. */
export function place(card: HTMLElement, frame: HTMLElement, control: HTMLElement | null): void {
  if (frame.hidden !== (control === null)) frame.hidden = control === null; // the same again would count as a change
  if (!control) {
    const room = document.querySelector(".centre")!.getBoundingClientRect();
    put(card, room.left + (room.width - card.offsetWidth) / 2, room.top + (room.height - card.offsetHeight) / 2);
    return;
  }
  const box = control.getBoundingClientRect();
  put(frame, box.x - OUTSET, box.y - OUTSET);
  setStyle(frame, "width", box.width + 2 * OUTSET);
  setStyle(frame, "height", box.height + 2 * OUTSET);
  const { offsetWidth: width, offsetHeight: height } = card;
  const part = control.closest(PARTS)?.getBoundingClientRect() ?? box;
  const x = beside(Math.min(part.left, box.left), Math.max(part.right, box.right), width, innerWidth);
  const y = beside(Math.min(part.top, box.top), Math.max(part.bottom, box.bottom), height, innerHeight);
  const along = (start: number, size: number, room: number): number =>
    Math.max(GAP, Math.min(start, room - size - GAP));
  put(
    card,
    x ?? along(box.left, width, innerWidth),
    x === null && y !== null ? y : along(box.top, height, innerHeight),
  );
}

/** Where something of a size goes along one axis: after a part or before it; null where there is no room. */
function beside(start: number, end: number, size: number, room: number): number | null {
  if (end + size + 2 * GAP <= room) return end + GAP;
  return start >= size + 2 * GAP ? start - size - GAP : null;
}

function put(what: HTMLElement, x: number, y: number): void {
  setStyle(what, "left", x);
  setStyle(what, "top", y);
}

function setStyle(what: HTMLElement, name: "left" | "top" | "width" | "height", pixels: number): void {
  what.style[name] = `${Math.round(pixels)}px`;
}
