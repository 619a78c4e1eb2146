// Encrypted payloads from an IPFS gateway, whose answers are always verified.
import { cidOf, digestOf, maximumEnvelopeBytes } from "@countersign/wire/envelope";
import type { Hex } from "@countersign/wire";
import { ask, Unavailable } from "../http/index.ts";

export type Payloads = {
  /** Returns exactly the bytes with that sha2-256 digest. Throws `Unavailable` while the gateway does not have them. */
  readonly fetch: (digest: Hex) => Promise<Uint8Array>;
};

const whom = "the IPFS gateway";

export const makePayloads = ({ url, timeoutMs = 5_000 }: { url: string; timeoutMs?: number }): Payloads => ({
  fetch: async (digest) => {
    const { status, bytes } = await ask({
      whom,
      url: `${url}/ipfs/${cidOf(digest)}?format=raw`,
      headers: { accept: "application/vnd.ipld.raw" },
      timeoutMs,
      maxBytes: maximumEnvelopeBytes,
    });
    if (status !== 200) throw new Unavailable(`${whom} answered with status ${status}`);
    if (digestOf(bytes) !== digest) throw new Unavailable(`${whom} returned other bytes than requested`);
    return bytes;
  },
});
