import { expect, test, vi } from "vitest";
import { joinGltfFiles } from "../../src/widgets/gltf_files";

const GLTF = JSON.stringify({ buffers: [{ uri: "body.bin" }] });

test("buffers are put into the file that names them", async () => {
  const joined = await joinGltfFiles([new File([GLTF], "body.gltf"), new File(["abc"], "body.bin")]);
  expect(joined.map(({ name }) => name)).toEqual(["body.gltf"]);
  const { buffers } = JSON.parse(await joined[0]!.text()) as { buffers: { uri: string }[] };
  expect(buffers[0]!.uri).toMatch(/^data:application\/octet-stream;base64,/);
});

test("a buffer that cannot be read stays in the list, which says so later", async () => {
  vi.spyOn(FileReader.prototype, "readAsDataURL").mockImplementation(function (this: FileReader) {
    this.onerror?.({} as ProgressEvent<FileReader>);
  });
  const joined = await joinGltfFiles([new File([GLTF], "body.gltf"), new File(["abc"], "body.bin")]);
  expect(joined.map(({ name }) => name)).toEqual(["body.gltf", "body.bin"]);
});
