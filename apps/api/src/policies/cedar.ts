// Cedar in WebAssembly. Loaded when an account first uses a policy: it takes half a second and 50 MB.
import type * as CedarModule from "@cedar-policy/cedar-wasm/nodejs";
import { schemaText } from "./schema.ts";

export type Cedar = (typeof CedarModule)["default"];

const schemaName = "countersign-1";

let loading: Promise<Cedar> | undefined;

async function load(): Promise<Cedar> {
  const { default: cedar } = await import("@cedar-policy/cedar-wasm/nodejs");
  const parsed = cedar.preparseSchema(schemaName, schemaText);
  if (parsed.type !== "success")
    throw new Error(`policy schema: ${parsed.errors[0]?.message ?? "not readable"}`);
  return cedar;
}

/** Returns Cedar with the schema loaded. */
export const loadCedar = (): Promise<Cedar> => (loading ??= load());

export const schemaOfRequests = schemaName;
