/** Puts off an update of a part of the page while a button in it is pressed: a button that is replaced between press and
 * release is not clicked. Leaving a field changes it just then. */
export function afterPresses(part: HTMLElement, update: () => void): () => void {
  let isPressed = false;
  let isDue = false;
  const release = (): void => {
    isPressed = false;
    if (isDue) update();
    isDue = false;
  };
  part.addEventListener(
    "pointerdown",
    ({ target }) => (isPressed = (target as Element).closest("button") !== null),
    true,
  );
  // The click follows at once.
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => setTimeout(release), true);
  return () => {
    if (isPressed) isDue = true;
    else update();
  };
}
