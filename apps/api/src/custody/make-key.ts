import { generateKeyPair } from "node:crypto";
import { promisify } from "node:util";
import { custodyErrors } from "./errors.ts";
import type { KeyPair } from "./make-csr.ts";

const generate = promisify(generateKeyPair);

const makeRsaKey = (): Promise<KeyPair> => generate("rsa", { modulusLength: 4096 });

/**
 * Makes keys, two at a time. Each takes a core for a second, on one of the few threads that files, names and hashes wait for
 * too: whoever asks for many must not stop the rest of the service. More than can wait are refused.
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
      // Whoever is done hands its place on, so that nobody slips in between.
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
