/** Facts about tokens and chains, from the tables under `data/`. */
export { loadRegistry } from "./load-registry.ts";
