/** Puts off an update of a part of the page while a button in it is pressed: leaving a field updates the part at exactly
 * that moment, and a button that is replaced between press and release is not clicked. */
export function afterPresses(part: HTMLElement, update: () => void): () => void {
  let isPressed = false;
  let presses = 0;
  let isDue = false;
  const release = (): void => {
    isPressed = false;
    if (isDue) update();
    isDue = false;
  };
  // Of a touch, fields hear between its mouse events, after the pointer has been lifted.
  part.addEventListener(
    "mousedown",
    ({ target, button }) => {
      isPressed = button === 0 && (target as Element).closest("button") !== null;
      presses++;
    },
    true,
  );
  // The click follows at once; another press may follow before the page is idle.
  const releaseSoon = (): void => {
    const ended = presses;
    setTimeout(() => ended === presses && release());
  };
  for (const end of ["mouseup", "dragend", "contextmenu"]) document.addEventListener(end, releaseSoon, true);
  addEventListener("blur", releaseSoon);
  return () => {
    if (isPressed) isDue = true;
    else update();
  };
}
