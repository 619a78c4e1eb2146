// The AccountRegistry on the home chain, as the registrar sees it.
import { accountRegistryAbi } from "@countersign/contracts/abi";
import { keccak256, type ContractFunctionParameters, type Hex } from "viem";
import type { OwnWallet, Plan } from "../own-wallet/index.ts";

/** The entry to record: whose key it is, and the hash of the owner's signature that requested it. */
type RegistryEntry = {
  readonly account: Hex;
  readonly fingerprint: Hex;
  readonly signatureHash: Hex;
};

export type Registry = {
  /** The registrar's wallet. */
  readonly wallet: OwnWallet;
  /** "recorded-by-account": the account wrote its own record, and the registry accepts no other. */
  readonly plan: (entry: RegistryEntry) => Promise<Plan | "recorded-by-account">;
  /** Whether the account's own record existed at that block. */
  readonly isByAccount: (account: Hex, blockNumber: number) => Promise<boolean>;
};

/** The hash of the owner's signature, as the registry stores it. */
export const hashSignature = (signature: Hex): Buffer => Buffer.from(keccak256(signature, "bytes"));

export function makeRegistry({
  wallet,
  address,
}: {
  readonly wallet: OwnWallet;
  readonly address: Hex;
}): Registry {
  const contract = { address, abi: accountRegistryAbi };
  return {
    wallet,
    plan: async ({ account, fingerprint, signatureHash }) => {
      const call = {
        ...contract,
        functionName: "record",
        args: [account, fingerprint, signatureHash],
      } satisfies ContractFunctionParameters<typeof accountRegistryAbi, "nonpayable", "record">;
      const plan = await wallet.plan(call);
      if (!("refusal" in plan)) return plan;
      if (plan.refusal === "RecordedByAccount") return "recorded-by-account";
      throw new Error(`the registry at ${address} refuses the registrar: ${plan.refusal}`);
    },
    isByAccount: async (account, blockNumber) => {
      const question = { ...contract, functionName: "recordOf", args: [account] } as const;
      const { byAccount } = await wallet.ask((client) =>
        client.readContract({ ...question, blockNumber: BigInt(blockNumber) }),
      );
      return byAccount;
    },
  };
}
