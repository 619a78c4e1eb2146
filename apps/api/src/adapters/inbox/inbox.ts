// The Inbox on the home chain, as a recorder sees it. The first entry for a request hash is permanent.
import { inboxAbi } from "@countersign/contracts/abi";
import { isAddressEqual, type ContractFunctionParameters, type Hex } from "viem";
import type { OwnWallet, Plan } from "../own-wallet/index.ts";

/** The entry to record: the request, the sha2-256 digest of its encrypted payload, and the service it is for. */
export type InboxRecord = {
  readonly requestHash: Hex;
  readonly contentDigest: Hex;
  readonly inbox: Hex;
};

type InboxEntry = {
  readonly contentDigest: Hex;
  readonly inbox: Hex;
  readonly recorder: Hex;
  readonly blockNumber: number;
};

export type Inbox = {
  /** The recorder's wallet. */
  readonly wallet: OwnWallet;
  /** "recorded": exactly this record is already there. "taken": the request hash has a different one, permanently. */
  readonly plan: (record: InboxRecord) => Promise<Plan | "recorded" | "taken">;
  /** Returns the current entry on the chain. Undefined if the hash is not recorded. */
  readonly entryOf: (requestHash: Hex) => Promise<InboxEntry | undefined>;
  /** Compares the current state of the chain with this record. */
  readonly standingOf: (record: InboxRecord) => Promise<"recorded" | "taken" | "absent">;
};

export function makeInbox({ wallet, address }: { readonly wallet: OwnWallet; readonly address: Hex }): Inbox {
  const contract = { address, abi: inboxAbi };
  const entryOf: Inbox["entryOf"] = async (requestHash) => {
    const question = { ...contract, functionName: "entryOf", args: [requestHash] } as const;
    const { blockNumber, ...entry } = await wallet.ask((client) => client.readContract(question));
    return blockNumber === 0n ? undefined : { ...entry, blockNumber: Number(blockNumber) };
  };
  const standingOf: Inbox["standingOf"] = async ({ requestHash, contentDigest, inbox }) => {
    const entry = await entryOf(requestHash);
    if (entry === undefined) return "absent";
    const isSame = entry.contentDigest === contentDigest.toLowerCase() && isAddressEqual(entry.inbox, inbox);
    return isSame ? "recorded" : "taken";
  };
  return {
    wallet,
    entryOf,
    standingOf,
    plan: async (record) => {
      const call = {
        ...contract,
        functionName: "record",
        args: [record.requestHash, record.contentDigest, record.inbox],
      } satisfies ContractFunctionParameters<typeof inboxAbi, "nonpayable", "record">;
      const plan = await wallet.plan(call);
      if (!("refusal" in plan)) return plan;
      if (plan.refusal === "AlreadyRecorded") {
        const standing = await standingOf(record);
        if (standing !== "absent") return standing;
      }
      throw new Error(`the inbox at ${address} refuses the recorder: ${plan.refusal}`);
    },
  };
}
