/** Joins the files about contracts and packs them for all threads. */
import type { ContractData, ContractRecord, FunctionName } from "../../contract-data.ts";
import type { Address } from "../../proposal.ts";
import { findText, packTexts, type PackedTexts } from "../packed-texts.ts";
import type { ReadContract } from "./contract-file.ts";
import type { ReadDescriptor } from "./descriptor.ts";

export type PackedContracts = {
  /** By chain and address. */
  readonly contracts: PackedTexts;
  /** By chain, address and selector. */
  readonly functions: PackedTexts;
};

/** A file with its name, and what was read from it. */
type Named<T> = { readonly file: string; readonly read: T };

type Contract = Pick<ContractRecord, "name" | "verification" | "source" | "asOf"> & {
  readonly deployedAt: number | null;
  readonly existedAt: number | null;
};

const chainBytes = 8;
const addressBytes = 20;
const selectorBytes = 4;

const keyOf = (chain: number, address: Address): string =>
  `${chain.toString(16).padStart(2 * chainBytes, "0")}${address.slice(2)}`;

type Joined = {
  readonly contracts: Map<string, Contract>;
  readonly functions: Map<string, FunctionName>;
};

/** Throws an error that names the file if two files say the same thing: which of them counts must not depend on their names. */
export function packContracts(
  files: readonly Named<ReadContract>[],
  descriptors: readonly Named<ReadDescriptor>[],
): PackedContracts {
  const joined: Joined = { contracts: new Map(), functions: new Map() };
  for (const file of files) addContract(joined, file);
  const described = new Set<string>();
  for (const file of descriptors) addDescriptor(joined, file, described);
  const texts = (all: ReadonlyMap<string, unknown>, bytes: number): PackedTexts =>
    packTexts(
      [...all].map(([key, value]) => [key, JSON.stringify(value)] as const),
      bytes,
    );
  return {
    contracts: texts(joined.contracts, chainBytes + addressBytes),
    functions: texts(joined.functions, chainBytes + addressBytes + selectorBytes),
  };
}

function addContract({ contracts, functions }: Joined, { file, read }: Named<ReadContract>): void {
  const { chain, address, functions: own, ...contract } = read;
  const key = keyOf(chain, address);
  if (contracts.has(key))
    throw new Error(`${file}: there is another file about ${address} on chain ${chain}`);
  contracts.set(key, contract);
  for (const [selector, { name, inputs }] of own)
    functions.set(`${key}${selector}`, {
      ...{ name, inputs, intent: null, labels: {} },
      ...{ source: contract.source, asOf: contract.asOf },
    });
}

/** The ABI of a contract file has the names of parameters; a descriptor adds its words to them. */
function addDescriptor(
  { contracts, functions }: Joined,
  { file, read }: Named<ReadDescriptor>,
  described: Set<string>,
): void {
  for (const { chain, address } of read.deployments) {
    const key = keyOf(chain, address);
    const known = contracts.get(key);
    if (known === undefined) {
      const nothing = { verification: null, deployedAt: null, existedAt: null };
      contracts.set(key, { name: read.name, ...nothing, source: file, asOf: null });
    } else if (known.name === null) contracts.set(key, { ...known, name: read.name });
    for (const [selector, one] of read.functions) {
      const at = `${key}${selector}`;
      if (described.has(at))
        throw new Error(`${file}: another descriptor has 0x${selector} of ${address} on chain ${chain}`);
      described.add(at);
      const abi = functions.get(at);
      const { intent, labels } = one;
      functions.set(
        at,
        abi === undefined
          ? { name: one.name, inputs: one.inputs, intent, labels, source: file, asOf: null }
          : { ...abi, intent, labels, source: `${abi.source}; ${file}` },
      );
    }
  }
}

/** `now`: a clock to ask, because a contract ages while the service runs. */
export function openContracts({ contracts, functions }: PackedContracts, now: () => bigint): ContractData {
  const since = (time: number | null): bigint | null => (time === null ? null : now() - BigInt(time));
  return {
    size: contracts.size,
    at: (chain, address) => {
      const text = findText(contracts, keyOf(chain, address));
      if (text === null) return null;
      const { deployedAt, existedAt, ...contract } = JSON.parse(text) as Contract;
      return { ...contract, deployedSecondsAgo: since(deployedAt), atLeastSecondsOld: since(existedAt) };
    },
    functionAt: (chain, address, selector) => {
      const text = findText(functions, `${keyOf(chain, address)}${selector.slice(2)}`);
      return text === null ? null : (JSON.parse(text) as FunctionName);
    },
  };
}
