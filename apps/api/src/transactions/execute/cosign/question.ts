import { z } from "zod";

// These values appear in answers and log lines.
const id = z.string().regex(/^[\w.:-]{1,128}$/);

const question = z.object({
  requestId: id,
  txId: id,
  /** The orderer's own id: for our orders, the request hash. */
  externalTxId: z.string().max(1024).nullish(),
  operation: z.string().max(64).nullish(),
  sourceType: z.string().max(64).nullish(),
  sourceId: z.string().max(128).nullish(),
  /** One per signature. `payload` is the hash that would be signed. */
  rawTx: z.array(z.object({ rawTx: z.string(), payload: z.string().nullish() })).nullish(),
});

/**
 * The parts of a co-signer's request that we use. Its textual destination and amount are ignored: only bytes
 * are signed.
 */
export type Question = z.infer<typeof question>;

export function parseQuestion(claims: unknown): Question | undefined {
  const parsed = question.safeParse(claims);
  return parsed.success ? parsed.data : undefined;
}
