export { makePayloads, type Payloads } from "./payloads.ts";
