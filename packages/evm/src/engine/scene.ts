import type { Hex } from "@countersign/wire";
import { emptyRoot } from "../hex.ts";
import type { ProvenWitness } from "../proof/verify-witness.ts";
import { relayerOf } from "./execute.ts";
import type { Scene } from "./scene-type.ts";
import { nextBlock } from "./next-block.ts";

/** Returns the scene of the call in the block after the proven one. */
export function sceneOf({ witness, header, blockHashes, storageRoots }: ProvenWitness): Scene {
  const { chainId, hardfork, call, following, signer, accounts, codes, names = [] } = witness;
  const parentHash = header.hash;
  const hasNoStorage = (address: Hex): boolean => storageRoots.get(address) === emptyRoot;
  return {
    ...{ chainId: BigInt(chainId), hardfork, call, blockHashes, names },
    ...(following === undefined ? {} : { following }),
    ...(signer === undefined ? {} : { signer, relayer: relayerOf({ parentHash }) }),
    ...{ block: nextBlock(header), parentHash },
    source: {
      findAccount: (address) => accounts[address],
      findSlot: (address, slot) =>
        accounts[address]?.storage[slot] ?? (hasNoStorage(address) ? "0x0" : undefined),
      findCode: (codeHash) => codes[codeHash],
    },
  };
}
