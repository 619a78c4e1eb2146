import { z } from "zod";

// They come back in an answer and in log lines.
const id = z.string().regex(/^[\w.:-]{1,128}$/);

const question = z.object({
  requestId: id,
  txId: id,
  /** What whoever ordered it calls it: of ours, the request hash. */
  externalTxId: z.string().max(1024).nullish(),
  operation: z.string().max(64).nullish(),
  sourceType: z.string().max(64).nullish(),
  sourceId: z.string().max(128).nullish(),
  /** One for each signature. `payload` is the hash that would be signed. */
  rawTx: z.array(z.object({ rawTx: z.string(), payload: z.string().nullish() })).nullish(),
});

/**
 * What a co-signer asks before it signs, of whatever else is in the token. What it says in words of the destination and the
 * amount is not looked at: only bytes are signed.
 */
export type Question = z.infer<typeof question>;

export function parseQuestion(claims: unknown): Question | undefined {
  const parsed = question.safeParse(claims);
  return parsed.success ? parsed.data : undefined;
}
