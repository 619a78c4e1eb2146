export { worthOf, type Price } from "./price.ts";
export { readPrices } from "./store.ts";
