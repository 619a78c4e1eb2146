/** The Ethereum Name Service: names bought for a time, and the records they point to. */
import { keccak256, toBytes } from "viem/utils";
import { exactly, native, nft, type Asset } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft } from "../protocol.ts";

const REGISTRAR: Address = "0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85";

const nameToken = (label: string): Asset => nft(REGISTRAR, BigInt(keccak256(toBytes(label))));

type Bought = {
  readonly label: string;
  readonly owner: Address;
  readonly data: readonly Hex[];
  readonly at: string;
};

/** Records set along with the purchase are part of it where they point to the owner; anything else is a change of its own. */
const foreignRecords = ({ data, owner, at }: Bought): readonly Draft[] =>
  data
    .map((record, index) => ({ record, index }))
    .filter(({ record }) => record.startsWith("0xd5fa2b00") && !record.toLowerCase().endsWith(owner.slice(2)))
    .map(({ record, index }) => ({
      act: "admin" as const,
      admin: { kind: "set_record", party: `0x${record.slice(-40)}` },
      places: { admin: `${at}data[${index}]` },
    }));

const bought = (given: Bought, call: CallView): readonly Draft[] => [
  {
    act: "mint",
    gives: [{ asset: native, amount: exactly(call.value), at: "value" }],
    gets: [{ asset: nameToken(given.label), amount: exactly(1n), at: `${given.at}owner` }],
    receiver: given.owner,
    places: { receiver: `${given.at}owner`, amount: "value" },
  },
  ...foreignRecords(given),
];

const controllers = ["controller", "controller_2025"];

const names = [
  fn("function commit(bytes32 commitment)", controllers, () => ({ act: "harmless" })),
  fn(
    "function register(string name, address owner, uint256 duration, bytes32 secret, address resolver, bytes[] data, bool reverseRecord, uint16 ownerControlledFuses) payable",
    ["controller"],
    ([label, owner, , , , data], call) => bought({ label, owner, data, at: "" }, call),
  ),
  fn(
    "function register((string label, address owner, uint256 duration, bytes32 secret, address resolver, bytes[] data, uint8 reverseRecord, bytes32 referrer) registration) payable",
    ["controller_2025"],
    ([{ label, owner, data }], call) => bought({ label, owner, data, at: "registration." }, call),
  ),
  fn("function renew(string name, uint256 duration) payable", ["controller"], ([label], call) =>
    renewed(label, call),
  ),
  fn(
    "function renew(string label, uint256 duration, bytes32 referrer) payable",
    ["controller_2025"],
    ([label], call) => renewed(label, call),
  ),
];

function renewed(label: string, call: CallView): Draft {
  return {
    act: "mint",
    gives: [{ asset: native, amount: exactly(call.value), at: "value" }],
    gets: [{ asset: nameToken(label), amount: exactly(1n), at: "name" }],
    receiver: call.sender,
    places: { amount: "value" },
  };
}

const record = (party: Address | null, at: string): Draft => ({
  act: "admin",
  admin: { kind: "set_record", party },
  places: { admin: at },
});

const records = [
  fn("function setAddr(bytes32 node, address a)", ["resolver"], ([, a]) => record(a, "a")),
  fn("function setAddr(bytes32 node, uint256 coinType, bytes a)", ["resolver"], ([, , a]) =>
    record(/^0x[0-9a-f]{40}$/.test(a) ? a : null, "a"),
  ),
  fn("function setText(bytes32 node, string key, string value)", ["resolver"], () => record(null, "value")),
  fn("function setContenthash(bytes32 node, bytes hash)", ["resolver"], () => record(null, "hash")),
  fn("function setName(string name)", ["reverse"], () => record(null, "name")),
  fn("function setResolver(bytes32 node, address resolver)", ["registry", "wrapper"], ([, resolver]) => ({
    act: "admin",
    admin: { kind: "set_resolver", party: resolver },
    places: { admin: "resolver" },
  })),
  fn("function setOwner(bytes32 node, address owner)", ["registry"], ([, owner]) => ({
    act: "admin",
    admin: { kind: "transfer_ownership", party: owner },
    places: { admin: "owner" },
  })),
  fn("function reclaim(uint256 id, address owner)", ["registrar"], ([, owner]) => ({
    act: "admin",
    admin: { kind: "transfer_ownership", party: owner },
    places: { admin: "owner" },
  })),
  fn("function multicall(bytes[] data)", ["resolver"], ([data], call) => ({
    calls: data.map((inner, index) => ({
      to: call.to,
      value: 0n,
      data: inner,
      program: true,
      at: `data[${index}]`,
    })),
  })),
];

export default defineProtocol({
  title: "ENS",
  names: ["ens", "ethereum name service", "ens domains", "ens app"],
  verbs: { buy_nft: ["mint"], swap: ["mint"] },
  contracts: {
    controller: { 1: "0x253553366da8546fc250f225fe3d25d0c782303b" },
    controller_2025: { 1: "0x59e16fccd424cc24e280be16e11bcd56fb0ce547" },
    registrar: { 1: REGISTRAR },
    resolver: { 1: "0x231b0ee14048e9dccd1d247744d114a4eb5e8e63" },
    registry: { 1: "0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e" },
    wrapper: { 1: "0xd4416b13d2b3a9abae7acd5d6c2bbdbe25686401" },
    reverse: { 1: "0xa58e81fe9b61b5c3fe2afd33cf304c454abfc7cb" },
  },
  functions: [...names, ...records],
});
