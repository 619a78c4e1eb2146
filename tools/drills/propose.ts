// Proposes as a patient client does: under one Idempotency-Key, until it is accepted.
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hex } from "viem";
import type { Owner, Proposal, Site } from "../stage/owner.ts";

/** Longer than any outage of a drill. */
const patienceMs = 180_000;
const answerMs = 20_000;
const pauseMs = 200;

type Proposing = {
  readonly site: Site;
  readonly owner: Owner;
  readonly isSealed: boolean;
  readonly proposal: Proposal;
  /** An attempt was cut off, or answered with another status than 201. */
  readonly onFailure: (reason: string) => void;
};

export async function propose({ site, owner, isSealed, proposal, onFailure }: Proposing): Promise<Hex> {
  const { prompt, call } = proposal;
  const credential = isSealed ? owner.credentials().agent : { "x-api-key": site.serverKeys.admin };
  const request = {
    method: "POST",
    headers: {
      ...{ ...credential, "content-type": "application/json" },
      "idempotency-key": randomBytes(16).toString("hex"),
    },
    body: JSON.stringify({
      ...{ escrowAddress: owner.escrow, userPrompt: prompt, ...(isSealed ? {} : { encrypted: false }) },
      tx: { to: call.to, value: call.value.toString(), data: call.data },
    }),
  };
  const limit = performance.now() + patienceMs;
  for (;;) {
    const outcome = await attempt(`${site.urls.api}/transactions`, request);
    if ("requestHash" in outcome) return outcome.requestHash;
    onFailure(outcome.failure);
    if (performance.now() > limit) throw new Error(`a proposal was not accepted: ${outcome.failure}`);
    await sleep(pauseMs);
  }
}

type Attempt = { readonly requestHash: Hex } | { readonly failure: string };

async function attempt(url: string, request: RequestInit): Promise<Attempt> {
  try {
    const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(answerMs) });
    const text = await answer.text();
    if (answer.status === 201) return JSON.parse(text) as { requestHash: Hex };
    return { failure: `status ${answer.status}` };
  } catch (error) {
    return { failure: codeOf(error) };
  }
}

/** A failed fetch says why in its cause. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { cause } = error;
  return cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
}
