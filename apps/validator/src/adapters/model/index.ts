export { makeModelClient, type ModelClient } from "./client.ts";
