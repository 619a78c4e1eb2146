import type { Hex, WireDomain } from "@countersign/wire";
import { digestOfCid } from "@countersign/wire/envelope";
import { Unavailable } from "../adapters/http/index.ts";
import type { Inbox, InboxEntry } from "../adapters/inbox/index.ts";
import type { Payloads } from "../adapters/payloads/index.ts";
import type { Keys } from "../keys/index.ts";
import type { Hint } from "../nudges/index.ts";
import { nothingBound } from "./bound.ts";
import { examineContent, examineEnvelope, type Examined } from "./examine.ts";

export type FindParts = {
  readonly domain: WireDomain;
  readonly inbox: Pick<Inbox, "findEntry">;
  readonly payloads: Payloads;
  readonly keys: () => Keys;
  readonly hintOf: (requestHash: Hex) => Hint | undefined;
};

/** Faults that the chain's entry shows by itself. */
function faultOf(entry: InboxEntry, hint: Hint | undefined, own: Hex): string | undefined {
  if (entry.inbox !== own) return "The chain names another verification service for this request.";
  if (hint?.cid !== undefined && digestOfCid(hint.cid) !== entry.contentDigest)
    return "The chain names another payload for this request than the main service does.";
  return undefined;
}

/**
 * The proposal behind a request hash: from the nudge if that carried it, otherwise by way of the chain and the gateway.
 * What is not there yet throws `Unavailable`; what is there and wrong is an invalid proposal.
 */
export async function findProposal(
  { domain, inbox, payloads, keys, hintOf }: FindParts,
  requestHash: Hex,
): Promise<Examined> {
  const hint = hintOf(requestHash);
  if (hint?.unsealed !== undefined) return examineContent({ domain, requestHash }, hint.unsealed);
  const entry = await inbox.findEntry(requestHash);
  if (entry === undefined) throw new Unavailable("the chain has no entry for this request yet");
  const { signer, unsealer } = keys();
  const reason = faultOf(entry, hint, signer.address);
  // The envelope is left unread, so it is not known who sealed it; such a reason gives nothing away.
  if (reason !== undefined) return { kind: "invalid", reason, bound: nothingBound, privacy: "for the owner" };
  const bytes = await payloads.fetch(entry.contentDigest);
  return examineEnvelope({ domain, requestHash, unseal: unsealer.unseal }, bytes);
}
