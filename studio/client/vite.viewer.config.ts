import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

// The viewer is one file: scripts and styles are written into viewer.html, which Python fills with motion. Its policy
// allows exactly this script and this style, and no request at all.
export default defineConfig({
  base: "./",
  publicDir: false,
  build: {
    outDir: "../../src/motionloom/viewer/page",
    emptyOutDir: true,
    target: "es2023",
    cssCodeSplit: false,
    chunkSizeWarningLimit: 900,
    rollupOptions: {
      input: join(import.meta.dirname, "src/viewer/main.ts"),
      output: { format: "iife", codeSplitting: false },
    },
  },
  plugins: [oneFile(join(import.meta.dirname, "viewer.html"))],
});

function oneFile(template: string): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      let [script, style] = ["", ""];
      for (const [name, output] of Object.entries(bundle)) {
        if (output.type === "chunk") script += output.code;
        else if (name.endsWith(".css")) style += String(output.source);
        delete bundle[name];
      }
      if (!script || !style) throw new Error("the viewer needs a script and a style sheet");
      if (/<\/script|<!--/i.test(script)) throw new Error("the viewer's script would end its own element");
      const policy = [
        "default-src 'none'",
        `script-src '${hash(script)}'`,
        `style-src '${hash(style)}'`,
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
      ].join("; ");
      const parts: Record<string, string> = {
        policy: `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
        style: `<style>${style}</style>`,
        script: `<script>${script}</script>`,
      };
      let page = readFileSync(template, "utf8");
      for (const [place, text] of Object.entries(parts)) page = page.replace(`<!--${place}-->`, () => text);
      this.emitFile({ type: "asset", fileName: "viewer.html", source: page });
    },
  };
}

function hash(text: string): string {
  return `sha256-${createHash("sha256").update(text, "utf8").digest("base64")}`;
}
