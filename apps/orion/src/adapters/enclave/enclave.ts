// The enclave this service runs in, if any. It attests the hash of a verdict. Nothing here invents a proof.
import { z } from "zod";
import type { Hex } from "@countersign/wire";
import { ask, jsonOf, Unavailable } from "../http/index.ts";

export type Enclave = {
  /** Returns a proof that this hash was known inside, in the enclave's own format. */
  readonly prove: (verdictHash: Hex) => Promise<Readonly<Record<string, unknown>>>;
};

const whom = "the enclave";
/** The main service's limit for a proof. */
const maxBytes = 64 * 1024;

const Proof = z.looseObject({ format: z.string().min(1), attestation: z.string().min(1) });

export const makeEnclave = ({ url, timeoutMs = 5_000 }: { url: string; timeoutMs?: number }): Enclave => ({
  prove: async (verdictHash) => {
    const answer = await ask({
      whom,
      url,
      method: "POST",
      body: { userData: verdictHash },
      timeoutMs,
      maxBytes,
    });
    const proof = Proof.safeParse(jsonOf(answer));
    if (answer.status !== 200 || !proof.success)
      throw new Unavailable(`${whom} answered with status ${answer.status} and no proof`);
    return proof.data;
  },
});
