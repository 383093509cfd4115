import { defineConfig } from "vite";

// The page is built into the Python package, which serves it; three.js has a file of its own because it changes
// less often than the studio does.
export default defineConfig({
  base: "./",
  build: {
    outDir: "../../src/motionloom/studio/page",
    emptyOutDir: true,
    target: "es2023",
    chunkSizeWarningLimit: 900,
    rollupOptions: {
      output: {
        manualChunks: (id: string) => (id.includes("node_modules/three") ? "three" : undefined),
      },
    },
  },
});
