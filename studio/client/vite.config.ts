import { loadEnv, type Plugin, type ProxyOptions } from "vite";
import { defineConfig } from "vitest/config";

// The build goes into the Python package, which serves it. `npm run dev` serves the sources instead and passes
// requests on to a running studio, whose address (with its token) is in MOTIONLOOM_STUDIO; see README.md.
export default defineConfig(({ mode, command }) => {
  const address = loadEnv(mode, import.meta.dirname, "MOTIONLOOM_")["MOTIONLOOM_STUDIO"];
  const isDev = command === "serve" && mode === "development";
  if (isDev && !address) {
    throw new Error("set MOTIONLOOM_STUDIO to the address that `motionloom studio --no-browser` prints");
  }
  return {
    base: "./",
    build: {
      outDir: "../../src/motionloom/studio/page",
      emptyOutDir: true,
      target: "es2023",
      chunkSizeWarningLimit: 900,
      rollupOptions: {
        output: {
          // three.js changes less often than the studio does, so browsers keep it longer. What simplifies meshes is
          // loaded when it is needed.
          manualChunks: (id: string) =>
            id.includes("node_modules/three") && !id.includes("meshopt") ? "three" : undefined,
        },
      },
    },
    ...(isDev && address ? devServer(new URL(address)) : {}),
    test: {
      environment: "happy-dom",
      include: ["tests/**/*.test.ts"],
    },
  };
});

/** Pass requests and the WebSocket on to a studio, which accepts only its own host and origin. */
function devServer(studio: URL): { server: { proxy: Record<string, ProxyOptions> }; plugins: Plugin[] } {
  const target = studio.origin;
  const forward: ProxyOptions = { target, changeOrigin: true, ws: true, headers: { origin: target } };
  return {
    server: { proxy: { "/api": forward, "/ws": forward } },
    plugins: [
      {
        name: "print-the-address-with-the-token",
        configureServer(server) {
          server.httpServer?.once("listening", () => {
            const local = server.resolvedUrls?.local[0] ?? "http://localhost:5173/";
            server.config.logger.info(`\n  Open ${local}${studio.search}\n`);
          });
        },
      },
    ],
  };
}
