/** The Ethereum Name Service: names registered for a period, and the records they point to. */
import { encodeAbiParameters, encodePacked, keccak256, parseAbiParameters, toBytes } from "viem/utils";
import { exactly, native, nft, type Asset } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft, type DraftChoice } from "../protocol.ts";
import { feeds, feedsWhen, inert, openedAsCalls } from "../uses.ts";
import { callsOnItself } from "./shared/calls-on-itself.ts";

const REGISTRAR: Address = "0x57f1887a8bf19b14fc0df6fd9b2acc9af147ea85";
/** The node of "eth". */
const ETH_NODE: Hex = "0x93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae";
const NOBODY: Address = "0x0000000000000000000000000000000000000000";

const labelHash = (label: string): Hex => keccak256(toBytes(label));
const nodeOf = (label: string): Hex =>
  keccak256(encodePacked(["bytes32", "bytes32"], [ETH_NODE, labelHash(label)]));
const nameToken = (label: string): Asset => nft(REGISTRAR, BigInt(labelHash(label)));

const duration = (seconds: bigint, at: string): DraftChoice => ({ what: "duration", value: seconds, at });
/** Calls contain names as hashes. */
const name = (node: Hex, at = "node"): DraftChoice => ({ what: "name", value: node, at });

type Bought = {
  readonly label: string;
  readonly owner: Address;
  readonly seconds: bigint;
  readonly resolver: Address;
  readonly data: readonly Hex[];
  readonly fuses?: number;
  readonly at: string;
};

/** `setAddr(node, owner)`: the one record that need not be requested. */
const ownRecord = ({ label, owner }: Bought): Hex =>
  `0xd5fa2b00${encodeAbiParameters(parseAbiParameters("bytes32, address"), [nodeOf(label), owner]).slice(2)}`;

const SET_ADDR = /^0xd5fa2b00[0-9a-f]{88}([0-9a-f]{40})$/;

/** A record that points to another address is a change of its own. */
const foreignRecords = (given: Bought): readonly Draft[] =>
  given.data.flatMap((record, i) => {
    const party = SET_ADDR.exec(record)?.[1];
    return party === undefined || record === ownRecord(given)
      ? []
      : [change("set_record", `0x${party}`, `${given.at}data[${i}]`)];
  });

const picked = (given: Bought): readonly DraftChoice[] => [
  duration(given.seconds, `${given.at}duration`),
  ...(given.resolver === NOBODY
    ? []
    : [{ what: "resolver" as const, value: given.resolver, at: `${given.at}resolver`, roles: ["resolver"] }]),
  ...given.data.flatMap((record, i) =>
    record === ownRecord(given)
      ? []
      : [{ what: "code" as const, value: record, at: `${given.at}data[${i}]` }],
  ),
  ...(given.fuses === undefined || given.fuses === 0
    ? []
    : [{ what: "setting" as const, value: `fuses ${given.fuses}`, at: "ownerControlledFuses" }]),
];

const bought = (given: Bought, call: CallView): readonly Draft[] => [
  {
    act: "mint",
    gives: [{ asset: native, amount: exactly(call.value), at: "value" }],
    gets: [{ asset: nameToken(given.label), amount: exactly(1n), at: `${given.at}owner` }],
    receiver: given.owner,
    choices: picked(given),
    places: { receiver: `${given.at}owner`, amount: "value" },
  },
  ...foreignRecords(given),
];

const renewed = (label: string, seconds: bigint, call: CallView): Draft => ({
  act: "mint",
  gives: [{ asset: native, amount: exactly(call.value), at: "value" }],
  gets: [{ asset: nameToken(label), amount: exactly(1n), at: "name" }],
  receiver: call.sender,
  choices: [duration(seconds, "duration")],
  places: { amount: "value" },
});

const purchase = {
  owner: feeds.receiver,
  duration: feeds.choice,
  secret: inert.replay,
  resolver: feeds.choice,
  data: feedsWhen("choice", "a record does not point to the owner"),
  reverseRecord: inert.label,
};

const controllers = ["controller", "controller_2025"];

const names = [
  fn("function commit(bytes32 commitment)", controllers, { commitment: inert.label }, () => ({
    act: "harmless",
  })),
  fn(
    "function register(string name, address owner, uint256 duration, bytes32 secret, address resolver, bytes[] data, bool reverseRecord, uint16 ownerControlledFuses) payable",
    ["controller"],
    { ...purchase, name: feeds.asset, ownerControlledFuses: feeds.choice },
    ([label, owner, seconds, , resolver, data, , fuses], call) =>
      bought({ label, owner, seconds, resolver, data, fuses, at: "" }, call),
  ),
  fn(
    "function register((string label, address owner, uint256 duration, bytes32 secret, address resolver, bytes[] data, uint8 reverseRecord, bytes32 referrer) registration) payable",
    ["controller_2025"],
    { registration: { ...purchase, label: feeds.asset, referrer: inert.attribution } },
    ([{ label, owner, duration: seconds, resolver, data }], call) =>
      bought({ label, owner, seconds, resolver, data, at: "registration." }, call),
  ),
  fn(
    "function renew(string name, uint256 duration) payable",
    ["controller"],
    { name: feeds.asset, duration: feeds.choice },
    ([label, seconds], call) => renewed(label, seconds, call),
  ),
  fn(
    "function renew(string label, uint256 duration, bytes32 referrer) payable",
    ["controller_2025"],
    { label: feeds.asset, duration: feeds.choice, referrer: inert.attribution },
    ([label, seconds], call) => renewed(label, seconds, call),
  ),
];

const change = (
  kind: string,
  party: Address | null,
  at: string,
  ...choices: readonly DraftChoice[]
): Draft => ({
  act: "admin",
  admin: { kind, party },
  choices,
  places: { party: at },
});

const setting = (value: string | bigint, at: string, known = false): DraftChoice => ({
  what: "setting",
  value,
  at,
  known,
});

/** The coin type of Ethereum's own addresses. */
const ETHER = 60n;

const records = [
  fn(
    "function setAddr(bytes32 node, address a)",
    ["resolver"],
    { node: feeds.choice, a: feeds.admin },
    ([node, a]) => change("set_record", a, "a", name(node)),
  ),
  fn(
    "function setAddr(bytes32 node, uint256 coinType, bytes a)",
    ["resolver"],
    { node: feeds.choice, coinType: feeds.choice, a: feeds.admin },
    ([node, coinType, a]) => {
      const party = /^0x[0-9a-f]{40}$/.test(a) ? a : null;
      const other = party === null ? [setting(a, "a")] : [];
      return change(
        "set_record",
        party,
        "a",
        name(node),
        setting(coinType, "coinType", coinType === ETHER),
        ...other,
      );
    },
  ),
  fn(
    "function setText(bytes32 node, string key, string value)",
    ["resolver"],
    { node: feeds.choice, key: feeds.choice, value: feeds.choice },
    ([node, key, value]) =>
      change("set_record", null, "value", name(node), setting(key, "key"), setting(value, "value")),
  ),
  fn(
    "function setContenthash(bytes32 node, bytes hash)",
    ["resolver"],
    { node: feeds.choice, hash: feeds.choice },
    ([node, hash]) => change("set_record", null, "hash", name(node), setting(hash, "hash")),
  ),
  fn("function setName(string name)", ["reverse"], { name: feeds.choice }, ([text]) =>
    change("set_record", null, "name", { what: "name", value: text, at: "name" }),
  ),
  fn(
    "function setResolver(bytes32 node, address resolver)",
    ["registry", "wrapper"],
    { node: feeds.choice, resolver: feeds.admin },
    ([node, resolver]) => change("set_resolver", resolver, "resolver", name(node)),
  ),
  fn(
    "function setOwner(bytes32 node, address owner)",
    ["registry"],
    { node: feeds.choice, owner: feeds.admin },
    ([node, owner]) => change("transfer_ownership", owner, "owner", name(node)),
  ),
  fn(
    "function reclaim(uint256 id, address owner)",
    ["registrar"],
    { id: feeds.choice, owner: feeds.admin },
    ([id, owner]) =>
      change("transfer_ownership", owner, "owner", name(`0x${id.toString(16).padStart(64, "0")}`, "id")),
  ),
  fn("function multicall(bytes[] data)", ["resolver"], { data: openedAsCalls }, ([data], call) => ({
    calls: callsOnItself(data, call, 0n),
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
