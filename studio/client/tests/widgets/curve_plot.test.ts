import { beforeEach, expect, test, vi } from "vitest";
import { CurvePlot } from "../../src/widgets/curve_plot";
import { traceValues } from "../../src/widgets/curve_trace";

const N = 100_000;
const WIDTH = 400;

/** Heights of all points that were drawn. */
let heights: number[];

beforeEach(() => {
  heights = [];
  const pen = new Proxy(
    { lineTo: (_x: number, y: number) => heights.push(y) },
    { get: (known, name) => (name === "lineTo" ? known.lineTo : () => undefined), set: () => true },
  );
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(pen as never);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(WIDTH);
});

test("a single spike of a long curve is drawn, with few points", () => {
  const spike = 12_345;
  const values = Array.from({ length: N }, (_, n) => (n === spike ? 90 : 0));
  const plot = new CurvePlot("speed", () => undefined);
  plot.set("speed", "m/s", [{ values, colour: "--accent", label: "" }]);
  expect(Math.min(...heights)).toBe(6); // the margin: the top of the plot
  const atTop = heights.filter((y) => y === 6);
  expect(atTop).toHaveLength(1);
  expect(heights.length).toBeLessThan(3 * WIDTH);
});

test("a moving playhead reads no value and draws no curve", () => {
  let reads = 0;
  const values = new Proxy([1, 2, 3], {
    get: (target, name, receiver) => {
      reads++;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  const plot = new CurvePlot("speed", () => undefined);
  plot.set("speed", "m/s", [{ values, colour: "--accent", label: "" }]);
  [reads, heights.length] = [0, 0];
  plot.seek(0.25);
  expect([reads, heights.length]).toEqual([0, 0]);
  expect(plot.element.querySelector<HTMLElement>(".curve-playhead")!.style.transform).toBe("translateX(25%)");
});

test("the lowest and the highest value of every pixel are drawn, or all values where they have room", () => {
  const trace = (length: number, pixels: number): number[] => {
    const drawn: number[] = [];
    const value = (n: number): number => Math.sin(n * n);
    const path = { lineTo: (_x: number, y: number) => drawn.push(y) };
    traceValues(path, { value, x: (n) => n, y: (y) => y }, 0, length - 1, pixels);
    return drawn;
  };
  expect(trace(50, 100)).toEqual(Array.from({ length: 50 }, (_, n) => Math.sin(n * n)));
  const all = trace(5000, 5000);
  const few = trace(5000, 100);
  expect(few.length).toBeLessThanOrEqual(202);
  expect([Math.min(...few), Math.max(...few)]).toEqual([Math.min(...all), Math.max(...all)]);
});
