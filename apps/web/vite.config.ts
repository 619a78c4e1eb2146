import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { precompress } from "./build/precompress.ts";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind(), precompress()],
  worker: { format: "es" },
  build: {
    target: "es2022",
    // Every file is named by its content, so that it may be kept for ever; nothing is written into the page itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
  },
});
