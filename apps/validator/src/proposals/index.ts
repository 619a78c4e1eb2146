export { makeReader } from "./make-reader.ts";
