// Reads from the state that a nonce was used by something else, or that the end has passed. No event shows this.
import type { ChainReader, Header } from "../../adapters/chain/index.ts";
import { hasEnded, proofOf, type Outcome, type Proof } from "../uses/index.ts";
import type { ReadBlock } from "./store/read-block.ts";
import type { UseSightings } from "./use-sightings.ts";
import type { UseStore, WatchedUse } from "./store/uses.ts";

type Parts = {
  readonly chain: Pick<ChainReader, "chainId" | "readHeader" | "readState">;
  readonly store: Pick<UseStore, "listDue" | "noteChecked">;
  readonly sightings: Pick<UseSightings, "see">;
};

type Seen = { readonly isOpen: boolean | undefined; readonly wasOpen: boolean; readonly timestamp: bigint };

/**
 * A nonce that is unused after its end was never used. One that is used although all blocks since it was unused were read, without an
 * event of this use, was used by something else. If it was used before that, nothing says by what.
 */
export function conclude(proof: Proof, { isOpen, wasOpen, timestamp }: Seen): Outcome | undefined {
  if (isOpen === undefined) return undefined;
  if (isOpen) return hasEnded(proof, timestamp) ? "expired" : undefined;
  return wasOpen ? proof.state?.closedBy : "spent";
}

async function check(parts: Parts, watched: WatchedUse, at: Header): Promise<void> {
  const { chain, store, sightings } = parts;
  const proof = proofOf(watched);
  if (proof?.state == null) return;
  const answer = await chain.readState(proof.state.read, at);
  const isOpen = answer === undefined ? undefined : proof.state.isOpen(answer);
  const { wasOpen, id } = watched;
  const outcome = conclude(proof, { isOpen, wasOpen, timestamp: at.timestamp });
  if (outcome === undefined)
    await store.noteChecked({ id }, { isOpen: isOpen === true, endsAt: proof.endsAt });
  else await sightings.see(id, { outcome, hash: null, block: at.number, blockHash: at.hash });
}

/** Checks those that are due, after the last block that was read: everything up to it is known. */
export const makeCheckUses =
  (parts: Parts) =>
  async (last: ReadBlock): Promise<void> => {
    const due = await parts.store.listDue(parts.chain.chainId);
    if (due.length === 0) return;
    const at = await parts.chain.readHeader(last.number);
    // The chain has changed. The next round starts with that.
    if (at?.hash !== last.hash) return;
    for (const watched of due) await check(parts, watched, at);
  };
