import type { Hex, WireDomain } from "@countersign/wire";
import { digestOfCid } from "@countersign/wire/envelope";
import { Unavailable } from "../adapters/http/index.ts";
import type { Inbox, InboxEntry } from "../adapters/inbox/index.ts";
import type { RecordClient } from "../adapters/record/index.ts";
import type { Payloads } from "../adapters/payloads/index.ts";
import type { Keys } from "../keys/index.ts";
import type { Hint } from "../nudges/index.ts";
import { nothingBound } from "./bound.ts";
import { examineContent, examineEnvelope, type Examined } from "./examine.ts";

export type FindParts = {
  readonly domain: WireDomain;
  readonly inbox: Pick<Inbox, "findEntry">;
  readonly payloads: Payloads;
  readonly record: Pick<RecordClient, "readContent">;
  readonly keys: () => Keys;
  readonly hintOf: (requestHash: Hex) => Hint | undefined;
};

/** Faults that the chain's entry alone shows. */
function faultOf(entry: InboxEntry, hint: Hint | undefined, own: Hex): string | undefined {
  if (entry.inbox !== own) return "The chain names another verification service for this request.";
  if (hint?.cid !== undefined && digestOfCid(hint.cid) !== entry.contentDigest)
    return "The chain names another payload for this request than the main service does.";
  return undefined;
}

/**
 * Returns the proposal of a request hash: from the nudge if that contained it, otherwise through the chain, unless its entry is
 * given, and the gateway, or from the main service if it is not encrypted. Throws `Unavailable` for what is not there yet; what is there and wrong is an invalid
 * proposal.
 */
export async function findProposal(
  { domain, inbox, payloads, record, keys, hintOf }: FindParts,
  requestHash: Hex,
  given?: InboxEntry,
): Promise<Examined> {
  const hint = hintOf(requestHash);
  if (hint?.unsealed !== undefined) return examineContent({ domain, requestHash }, hint.unsealed);
  const entry = given ?? (await inbox.findEntry(requestHash));
  if (entry === undefined) {
    // Without any nudge, another process may have received the one with the content.
    const content = hint === undefined ? await record.readContent(requestHash) : undefined;
    if (content !== undefined) return examineContent({ domain, requestHash }, content);
    throw new Unavailable("the chain has no entry for this request yet");
  }
  const { signer, unsealer } = keys();
  const reason = faultOf(entry, hint, signer.address);
  // The envelope is not read, so it is unknown who encrypted it. Such a reason reveals nothing.
  if (reason !== undefined) return { kind: "invalid", reason, bound: nothingBound, privacy: "for the owner" };
  const bytes = await payloads.fetch(entry.contentDigest);
  return examineEnvelope({ domain, requestHash, unseal: unsealer.unseal }, bytes);
}
