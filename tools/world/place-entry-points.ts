// Account abstraction (ERC-4337): the two entry points at their addresses, and accounts of their authors.
import type { Hex } from "viem";
import { deployer } from "./addresses.ts";
import { readArtifact } from "./artifacts.ts";
import { fetchPackages } from "./fetch-packages.ts";
import { packages } from "./packages.ts";
import { makeStage } from "./place.ts";

/** Canonical addresses, in lower case. */
export const accountAbstraction = {
  entryPoint07: "0x0000000071727de22e5e9d8baf0edac6f37da032",
  entryPoint08: "0x4337084d9e255ff0702461cf8895ce9e3b5ff108",
  /** The delegate of accounts by EIP-7702, for EntryPoint 0.8. */
  simple7702Account: "0xe6cae83bde06e4c305530e199d7217f42808555b",
} as const satisfies Readonly<Record<string, Hex>>;

/** Of version 0.7. `createAccount(owner, salt)` deploys a smart account, which `getAddress(owner, salt)` names before. */
export type EntryPoints = { readonly simpleAccountFactory: Hex };

/** Places them on any anvil chain. Unlike the rest of the world, they need no other contract. */
export async function placeEntryPoints({ url }: { readonly url: string }): Promise<EntryPoints> {
  await fetchPackages(packages.filter(({ name }) => name === "@account-abstraction/contracts"));
  const { chain, fund, place, create } = makeStage(url);
  await chain.impersonateAccount({ address: deployer });
  await fund(deployer, "1000000");
  const [older, newer] = [
    "@account-abstraction/contracts@0.7.0",
    "@account-abstraction/contracts@0.8.0",
  ] as const;
  const { entryPoint07, entryPoint08, simple7702Account } = accountAbstraction;
  await place(entryPoint07, readArtifact(older, "artifacts/EntryPoint.json"));
  await place(entryPoint08, readArtifact(newer, "artifacts/EntryPoint.json"));
  await place(simple7702Account, readArtifact(newer, "artifacts/Simple7702Account.json"));
  const factory = readArtifact(older, "artifacts/SimpleAccountFactory.json");
  return { simpleAccountFactory: await create(factory, [entryPoint07]) };
}
