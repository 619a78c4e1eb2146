import { readFileSync } from "node:fs";

export type Addresses = {
  readonly api: string;
  readonly validator: string;
  readonly chain: string;
  /** A chain with the id of Ethereum and real contracts. */
  readonly world: string;
  readonly ipfs: string;
  /** The custodian's stand-in, which only a development system has. */
  readonly custodian: string;
  readonly contracts: {
    readonly accountRegistry: `0x${string}`;
    readonly serviceRegistry: `0x${string}`;
    readonly inbox: `0x${string}`;
  };
};

/** Where the running system is. `npm run dev` writes it down; `npm run examples` says which file to read. */
export function addresses(): Addresses {
  const file = process.env["COUNTERSIGN_STACK"] ?? new URL("../.data/stack.json", import.meta.url);
  const { urls, contracts } = JSON.parse(readFileSync(file, "utf8")) as {
    urls: { api: string; validator: string; anvil: string; world: string; ipfs: string; custodian: string };
    contracts: Addresses["contracts"];
  };
  const { api, validator, anvil: chain, world, ipfs, custodian } = urls;
  return { api, validator, chain, world, ipfs, custodian, contracts };
}
