import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { custodyErrors } from "./errors.ts";
import type { KeyPair } from "./make-csr.ts";

const generate = promisify(generateKeyPair);

const makeRsaKey = (): Promise<KeyPair> => generate("rsa", { modulusLength: 4096 });

/**
 * Creates keys, two at a time. Each takes a core for a second, on one of the few threads that file access,
 * name resolution and hashing also use, so a flood of requests must not block the service. Rejects when the
 * queue is full.
 */
export function makeKeyMaker(
  make: () => Promise<KeyPair> = makeRsaKey,
  { atOnce = 2, waitAtMost = 30 } = {},
) {
  const waiting: (() => void)[] = [];
  let busy = 0;
  return async function makeKey(): Promise<KeyPair> {
    if (busy >= atOnce) {
      if (waiting.length >= waitAtMost) throw custodyErrors.busy({ headers: { "Retry-After": "30" } });
      // A finished job passes its place directly to the next in the queue.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else busy++;
    try {
      return await make();
    } finally {
      const next = waiting.shift();
      if (next === undefined) busy--;
      else next();
    }
  };
}
