/** A part of the page. Panels are made once; they listen to the studio and keep their element up to date. */
export interface Panel {
  id: string;
  title: string;
  /** Two or three sentences for the help key: what the panel is for and how to begin. */
  help: string;
  element: HTMLElement;
}
