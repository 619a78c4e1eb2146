export { hashSignature, makeRegistry, type Registry } from "./registry.ts";
