export { addMeasures } from "./measures.ts";
export { makeMeasureStore } from "./store.ts";
