import type { Hex } from "@countersign/wire";
import { emptyRoot } from "../hex.ts";
import type { ProvenWitness } from "../proof/verify-witness.ts";
import type { Scene } from "./machine.ts";
import { nextBlock } from "./next-block.ts";

/** Returns the scene of the call in the block after the proven one. */
export function sceneOf({ witness, header, blockHashes, storageRoots }: ProvenWitness): Scene {
  const { chainId, hardfork, call, accounts, codes } = witness;
  const hasNoStorage = (address: Hex): boolean => storageRoots.get(address) === emptyRoot;
  return {
    ...{ chainId: BigInt(chainId), hardfork, call, blockHashes },
    ...{ block: nextBlock(header), parentHash: header.hash },
    source: {
      findAccount: (address) => accounts[address],
      findSlot: (address, slot) =>
        accounts[address]?.storage[slot] ?? (hasNoStorage(address) ? "0x0" : undefined),
      findCode: (codeHash) => codes[codeHash],
    },
  };
}
