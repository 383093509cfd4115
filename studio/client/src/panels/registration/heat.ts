import { element } from "../../core/dom";
import type { Grid } from "./grid";

/** The grid as a picture, a pixel per cell, the first row at the bottom: near is like the page, far stands out. */
export function painted(grid: Grid, style: CSSStyleDeclaration): HTMLCanvasElement {
  const { rows, columns } = grid;
  const canvas = element("canvas", { width: columns, height: rows });
  const pen = canvas.getContext("2d")!;
  const [near, far] = [colourOf(pen, style, "--bg"), colourOf(pen, style, "--muted")];
  const image = pen.createImageData(columns, rows);
  const range = grid.farthest - grid.nearest;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const share = range > 0 ? (grid.distance({ row, column }) - grid.nearest) / range : 0;
      const at = 4 * ((rows - 1 - row) * columns + column);
      for (let n = 0; n < 3; n++) image.data[at + n] = near[n]! + share * (far[n]! - near[n]!);
      image.data[at + 3] = 255;
    }
  }
  pen.putImageData(image, 0, 0);
  return canvas;
}

/** Red, green and blue of a colour token, however it is written. */
function colourOf(pen: CanvasRenderingContext2D, style: CSSStyleDeclaration, token: string): Uint8ClampedArray {
  pen.fillStyle = style.getPropertyValue(token);
  pen.fillRect(0, 0, 1, 1);
  return pen.getImageData(0, 0, 1, 1).data;
}
