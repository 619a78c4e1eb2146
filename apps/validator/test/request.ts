/** Parses a request from the text that a caller would send, with the real registry. */
import type { Proposal } from "../src/proposal.ts";
import { loadRegistry } from "../src/registry/index.ts";
import { parseLossless } from "../src/request/lossless-json.ts";
import { readRequest } from "../src/request/read-request.ts";
import type { ValidateRequest } from "../src/request/schema.ts";

const registry = loadRegistry();
export const clockNow = 1_790_000_000n;

/** The fields as JavaScript values; bigints stay exact. */
export const read = (body: unknown): Proposal =>
  readRequest(body as ValidateRequest, { now: clockNow, registry });

/** The text as it would come over the wire. */
export function readText(text: string): Proposal {
  const parsed = parseLossless(text);
  if ("fault" in parsed) throw new Error(parsed.fault);
  return read(parsed.value);
}

export const alice = "0x1111111111111111111111111111111111111111";
export const bob = "0x2222222222222222222222222222222222222222";
