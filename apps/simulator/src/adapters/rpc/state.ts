// Accounts with their proofs, and the state that a call reads by a node's own account. Proofs are verified elsewhere.
import { z } from "zod";
import type { Hex } from "@countersign/wire";
import { NodeFailed, type Rpc, type RpcAnswer } from "./rpc.ts";

const hex = z
  .custom<Hex>((value) => typeof value === "string" && /^0x[0-9a-fA-F]*$/.test(value))
  .transform((value) => value.toLowerCase() as Hex);

const Proof = z.object({
  ...{ balance: hex, nonce: hex, codeHash: hex },
  accountProof: z.array(hex),
  storageProof: z.array(z.object({ key: z.string(), value: hex, proof: z.array(hex) })),
});
const AccessList = z.object({
  accessList: z.array(z.object({ address: hex, storageKeys: z.array(hex) })),
});

export type Wanted = ReadonlyMap<Hex, ReadonlySet<Hex>>;
export type ProvenAccount = z.output<typeof Proof> & { readonly address: Hex; readonly code: Hex };
export type NodeCall = { readonly from: Hex; readonly to: Hex; readonly value: Hex; readonly data: Hex };

/** Returns these accounts and slots with their proofs and codes, in one batch. */
export async function readAccounts(
  { ask }: Pick<Rpc, "ask">,
  wanted: Wanted,
  blockHash: Hex,
): Promise<readonly ProvenAccount[]> {
  const at = { blockHash };
  const all = [...wanted];
  const answers = await ask(
    all.flatMap(([address, slots]) => [
      { method: "eth_getProof", params: [address, [...slots], at] },
      { method: "eth_getCode", params: [address, at] },
    ]),
  );
  return all.map(([address], index) => {
    const proof = Proof.safeParse(answers[2 * index]?.result);
    const code = hex.safeParse(answers[2 * index + 1]?.result);
    if (!proof.success || !code.success)
      throw new NodeFailed("a node did not answer with the proof of an account");
    return { ...proof.data, address, code: code.data };
  });
}

type Touched = readonly { readonly address: Hex; readonly slots: readonly Hex[] }[];

/** Returns for each call what it reads, or undefined if the node does not say. It only saves requests, so it need not be right. */
export async function readTouched(
  { ask }: Pick<Rpc, "ask">,
  calls: readonly NodeCall[],
  blockHash: Hex,
): Promise<readonly (Touched | undefined)[]> {
  const answers = await ask(
    calls.map((call) => ({ method: "eth_createAccessList", params: [call, { blockHash }] })),
  );
  return answers.map(touchedIn);
}

function touchedIn(answer: RpcAnswer): Touched | undefined {
  const read = AccessList.safeParse(answer?.result);
  if (!read.success) return undefined;
  return read.data.accessList.map(({ address, storageKeys }) => ({ address, slots: storageKeys }));
}
