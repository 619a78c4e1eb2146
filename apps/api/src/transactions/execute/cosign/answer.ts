// The answer to a co-signer: signed by us, for exactly the request it sent.
import type { KeyObject } from "node:crypto";
import { SignJWT } from "jose";

/** RETRY: they ask again later. A REJECT is final. */
export type Answer =
  { readonly action: "APPROVE" } | { readonly action: "REJECT" | "RETRY"; readonly reason: string };

export const approve: Answer = { action: "APPROVE" };
export const reject = (reason: string): Answer => ({ action: "REJECT", reason });
export const retry = (reason: string): Answer => ({ action: "RETRY", reason });

export async function signAnswer(answer: Answer, requestId: string, key: KeyObject): Promise<string> {
  const { action } = answer;
  const why = answer.action === "REJECT" ? { rejectionReason: answer.reason } : {};
  return new SignJWT({ action, requestId, ...why })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .sign(key);
}
