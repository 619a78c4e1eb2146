export { makeServiceStore } from "./store/services.ts";
