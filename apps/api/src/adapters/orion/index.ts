export { makeOrion, type Orion } from "./orion.ts";
