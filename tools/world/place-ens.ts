// The name service: registry, registrar of .eth and the public resolver of 2020, with some names.
import { labelhash, namehash, parseAbi, zeroHash, type Hex } from "viem";
import { addresses as at, deployer } from "./addresses.ts";
import { readArtifact } from "./artifacts.ts";
import type { Stage } from "./place.ts";

const setAddr = parseAbi(["function setAddr(bytes32 node, address to)"]);
const year = 31_536_000n;

export async function placeEns(
  { place, write }: Stage,
  { alice, bob }: { alice: Hex; bob: Hex },
): Promise<void> {
  const registry = readArtifact("@ensdomains/ens", "build/contracts/ENSRegistry.json");
  const registrar = readArtifact(
    "@ensdomains/ethregistrar",
    "build/contracts/BaseRegistrarImplementation.json",
  );
  const resolver = readArtifact("@ensdomains/resolver", "build/contracts/PublicResolver.json");
  await place(at.ens, registry);
  await place(at.ensRegistrar, registrar, [at.ens, namehash("eth")]);
  await place(at.ensResolver, resolver, [at.ens]);
  await write({ to: at.ens, abi: registry.abi }, "setSubnodeOwner", [
    ...[zeroHash, labelhash("eth"), at.ensRegistrar],
  ]);
  await write({ to: at.ensRegistrar, abi: registrar.abi }, "addController", [deployer]);
  for (const [label, owner, duration] of [
    ["alice", alice, year],
    ["bob", bob, year],
    // Has expired when the world is ready, and still has its records, as on Ethereum.
    ["lapsed", bob, 1n],
  ] as const) {
    await write({ to: at.ensRegistrar, abi: registrar.abi }, "register", [
      ...[BigInt(labelhash(label)), owner, duration],
    ]);
    const node = namehash(`${label}.eth`);
    await write({ to: at.ens, abi: registry.abi, from: owner }, "setResolver", [node, at.ensResolver]);
    await write({ to: at.ensResolver, abi: setAddr, from: owner }, "setAddr", [node, owner]);
  }
}
