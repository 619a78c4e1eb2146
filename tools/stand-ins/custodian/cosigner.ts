// Before it signs, the custodian can call the owner's co-signer callback. It trusts only signed responses.
import type { KeyObject } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readToken, signToken, type Claims } from "./tokens.ts";

export type Cosigner = {
  /** The question goes to /v2/tx_sign_request under it. */
  readonly url: string;
  /** RSA: the custodian's own, with which the question is signed. */
  readonly privateKey: KeyObject;
  /** Of the program that is asked. */
  readonly ourPublicKey: () => KeyObject;
  readonly timeoutMs?: number;
  /** How long after a RETRY it is asked again. */
  readonly retryMs?: number;
};

export type Verdict = "APPROVE" | "REJECT" | "no valid answer";

/** Retries until there is a response or the timeout. */
export async function askCosigner(
  cosigner: Cosigner,
  question: Claims & { readonly requestId: string },
  isStillWanted: () => boolean,
): Promise<Verdict> {
  while (isStillWanted()) {
    const action = await askOnce(cosigner, question).catch(() => undefined);
    if (action === "APPROVE" || action === "REJECT") return action;
    if (action !== "RETRY") return "no valid answer";
    await sleep(cosigner.retryMs ?? 3_000);
  }
  return "no valid answer";
}

async function askOnce(
  { url, privateKey, ourPublicKey, timeoutMs = 30_000 }: Cosigner,
  question: Claims & { readonly requestId: string },
): Promise<unknown> {
  const response = await fetch(`${url.replace(/\/+$/, "")}/v2/tx_sign_request`, {
    method: "POST",
    headers: { "content-type": "text/plain" },
    body: signToken(question, privateKey),
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  const answer = response.ok ? readToken(text.trim(), ourPublicKey()) : undefined;
  return answer?.["requestId"] === question.requestId ? answer["action"] : undefined;
}
