import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompress } from "./build/precompress.ts";
import { serviceWorker } from "./build/service-worker.ts";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind(), serviceWorker(), precompress()],
  worker: { format: "es" },
  build: {
    target: "es2022",
    // File names contain content hashes, so that they can be cached forever. Nothing is inlined into the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
  },
});
