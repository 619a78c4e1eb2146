// The Inbox on the home chain, as a recorder sees it. The first record of a request hash counts.
import { inboxAbi } from "@countersign/contracts/abi";
import type { Registered, Registrations } from "@countersign/wire";
import {
  BaseError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  isAddressEqual,
  zeroHash,
  type ContractFunctionParameters,
  type Hex,
} from "viem";
import type { OwnWallet, Plan } from "../own-wallet/index.ts";

type InboxEntry = {
  readonly contentDigest: Hex;
  readonly inbox: Hex;
  readonly recorder: Hex;
  readonly blockNumber: number;
};

/** A root to record, with the digest of the list of its leaves. */
type RootRecord = { readonly root: Hex; readonly listDigest: Hex; readonly inbox: Hex };

/** Compared with the chain as it is now. "taken": the request hash has another record, permanently. */
export type Standing = "recorded" | "taken" | "absent";

export type Inbox = {
  /** The recorder's wallet. */
  readonly wallet: OwnWallet;
  /** Whether the contract records roots. Those that were deployed before roots record entries only. */
  readonly takesRoots: () => Promise<boolean>;
  /** "recorded": the root is there already. */
  readonly planRoot: (record: RootRecord) => Promise<Plan | "recorded">;
  /** Plans a record of those that are absent. "recorded": none is. */
  readonly planEntries: (registrations: Registrations) => Promise<Plan | "recorded">;
  /** Returns the current entry on the chain. Undefined if the hash was not recorded alone. */
  readonly entryOf: (requestHash: Hex) => Promise<InboxEntry | undefined>;
  readonly standingOf: (inbox: Hex, entry: Registered) => Promise<Standing>;
};

type Contract = { readonly address: Hex; readonly abi: typeof inboxAbi };

/** An older contract reverts on what it does not know, or answers nothing. */
const isUnknownFunction = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk(
    (one) => one instanceof ContractFunctionRevertedError || one instanceof ContractFunctionZeroDataError,
  ) !== null;

function makeTakesRoots(contract: Contract, wallet: OwnWallet): Inbox["takesRoots"] {
  let known: boolean | undefined;
  const question = { ...contract, functionName: "rootOf", args: [zeroHash] } as const;
  return async () => {
    known ??= await wallet.ask((client) =>
      client.readContract(question).then(
        () => true,
        (error: unknown) => {
          if (isUnknownFunction(error)) return false;
          throw error;
        },
      ),
    );
    return known;
  };
}

export function makeInbox({ wallet, address }: { readonly wallet: OwnWallet; readonly address: Hex }): Inbox {
  const contract: Contract = { address, abi: inboxAbi };
  const entryOf: Inbox["entryOf"] = async (requestHash) => {
    const question = { ...contract, functionName: "entryOf", args: [requestHash] } as const;
    const { blockNumber, ...entry } = await wallet.ask((client) => client.readContract(question));
    return blockNumber === 0n ? undefined : { ...entry, blockNumber: Number(blockNumber) };
  };
  const standingOf: Inbox["standingOf"] = async (inbox, { requestHash, contentDigest }) => {
    const entry = await entryOf(requestHash);
    if (entry === undefined) return "absent";
    const isSame = entry.contentDigest === contentDigest.toLowerCase() && isAddressEqual(entry.inbox, inbox);
    return isSame ? "recorded" : "taken";
  };
  const refused = (refusal: string): Error =>
    new Error(`the inbox at ${address} refuses the recorder: ${refusal}`);
  return {
    wallet,
    entryOf,
    standingOf,
    takesRoots: makeTakesRoots(contract, wallet),
    planRoot: async ({ root, listDigest, inbox }) => {
      const call = {
        ...contract,
        functionName: "recordRoot",
        args: [root, listDigest, inbox],
      } satisfies ContractFunctionParameters<typeof inboxAbi, "nonpayable", "recordRoot">;
      const plan = await wallet.plan(call);
      if (!("refusal" in plan)) return plan;
      if (plan.refusal === "RootAlreadyRecorded") return "recorded";
      throw refused(plan.refusal);
    },
    planEntries: async ({ inbox, entries }) => {
      const standings = await Promise.all(entries.map((entry) => standingOf(inbox, entry)));
      const absent = entries.filter((_, index) => standings[index] === "absent");
      if (absent.length === 0) return "recorded";
      const call = {
        ...contract,
        functionName: "recordBatch",
        args: [absent.map((entry) => ({ ...entry, inbox }))],
      } satisfies ContractFunctionParameters<typeof inboxAbi, "nonpayable", "recordBatch">;
      const plan = await wallet.plan(call);
      if (!("refusal" in plan)) return plan;
      throw refused(plan.refusal);
    },
  };
}
