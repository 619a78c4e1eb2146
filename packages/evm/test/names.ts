// The contracts of the name service at their addresses, with one name.
import { keccak256, stringToBytes } from "viem/utils";
import { namehash } from "viem/ens";
import type { Hex } from "@countersign/wire";
import { word } from "../src/hex.ts";
import type { TestAccount } from "./build-witness.ts";
import { slotOf } from "./close-witness.ts";
import { compileContracts } from "./compile.ts";

export const ens = {
  registry: "0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e",
  registrar: "0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85",
  wrapper: "0xd4416b13d2b3a9abae7acd5d6c2bbdbe25686401",
  resolver: "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63",
} as const satisfies Readonly<Record<string, Hex>>;

export type TestName = {
  readonly name: string;
  /** The answer of the resolver. Null: nothing. */
  readonly address: Hex | null;
  readonly resolver?: Hex | null;
  /** Unix seconds, of the name directly under .eth. */
  readonly expires?: bigint;
  readonly owner?: Hex | null;
  /** The owner that the wrapper names. */
  readonly wrapped?: Hex;
  /** The contract at the resolver's address. */
  readonly contract?: string;
};

const some = (slot: Hex, value: Hex | null | undefined): Record<Hex, bigint> =>
  value === null || value === undefined ? {} : { [slot]: BigInt(value) };

export function nameAccounts(given: TestName): Readonly<Record<Hex, TestAccount>> {
  const { name, address, resolver = ens.resolver, expires = 2_000_000_000n, wrapped, contract } = given;
  const { owner = `0x${"0e".repeat(20)}` } = given;
  const node = namehash(name);
  const label = keccak256(stringToBytes(name.split(".").at(-2) ?? ""));
  const at = (key: Hex, slot: bigint): Hex => slotOf(key, word(slot));
  const { codeOf } = compileContracts();
  const holding = (storage: Record<Hex, bigint>, code = codeOf("NameService")): TestAccount => ({
    ...{ nonce: 1n, code, storage },
  });
  return {
    [ens.registry]: holding({ ...some(at(node, 0n), resolver), ...some(at(node, 1n), owner) }),
    [ens.registrar]: holding({ [at(label, 2n)]: expires }),
    [ens.wrapper]: holding(some(at(node, 4n), wrapped)),
    ...(resolver === null
      ? {}
      : { [resolver]: holding(some(at(node, 3n), address), codeOf(contract ?? "NameService")) }),
  };
}
