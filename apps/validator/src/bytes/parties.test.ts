/** Checks that every address in a proposal is listed once for each of its roles, with its place. */
import { describe, expect, test } from "vitest";
import { exactly, nft, token, unsaid, type Effect, type Leaf, type OpenedPart } from "../effects.ts";
import type { Address, Proposal, TypedData } from "../proposal.ts";
import { aWorld, anApproval, anEffect, bob, flow, mallory, me, usdc, weth } from "../../test/entail.ts";
import type { Node } from "./abi-reader.ts";
import type { Origin } from "./make-effect.ts";
import { partiesOf } from "./parties.ts";

type Given = {
  readonly proposal?: Partial<Proposal>;
  readonly nodes?: readonly Node[];
  readonly opened?: readonly OpenedPart[];
  readonly effects?: readonly Effect[];
  readonly leaves?: readonly Leaf[];
};
const call = "proposed_tx.transactions[1]";
const origin = (nodes: readonly Node[]): Origin => ({
  ...{ where: call, nodes, prefix: "", target: null, sender: "self", isSelf: () => false },
  ...{ isOwnContract: () => false, protocol: "", function: "", venue: null, knowledge: "none" },
});
const parties = ({ proposal = {}, nodes, opened = [], effects = [], leaves = [] }: Given) =>
  partiesOf(
    { ...aWorld([], []).proposal, ...proposal },
    { nodes: nodes === undefined ? [] : [origin(nodes)], opened },
    effects,
    leaves,
  );
const roles = (given: Given): readonly string[] =>
  parties(given).map(({ address, role }) => `${role} ${address}`);
const place = (given: Given) => parties(given)[0]?.where;
const field = (name: string) => ({ call: "proposed_tx", field: name });

const leaf = (to: Address | null): Leaf => ({
  ...{ where: call, depth: 0, sender: "self", to, value: 0n, data: "0x", delegatecall: false },
  ...{ protocol: null, function: null, knowledge: "none", args: [], encoding: [], place: null },
});

describe("the called contract", () => {
  test("is listed with its call", () => {
    expect(parties({ leaves: [leaf(bob), leaf(null)] })).toEqual([
      { address: bob, role: "to", where: { call, field: "to" } },
    ]);
  });
  test("is listed once for each role, at its first place", () => {
    const again = { ...leaf(bob), where: "proposed_tx" };
    const effects = [anEffect({ receiver: bob })];
    expect(parties({ leaves: [leaf(bob), again], effects })).toEqual([
      { address: bob, role: "to", where: { call, field: "to" } },
      { address: bob, role: "recipient", where: field("value") },
    ]);
  });
  test("is listed in lower case", () => {
    const mixed = usdc.toUpperCase().replace("0X", "0x") as Address;
    expect(roles({ leaves: [leaf(mixed), leaf(usdc)] })).toEqual([`to ${usdc}`]);
  });
});

test("the delegate of an authorization is listed", () => {
  const authorizations = [{ at: "proposed_tx.authorizations[0]", chainId: 1n, delegate: bob }];
  expect(parties({ proposal: { authorizations } })).toEqual([
    { address: bob, role: "delegate", where: { call: "proposed_tx.authorizations[0]", field: "address" } },
  ]);
});

describe("an effect", () => {
  const where = field("x");
  const piece = { ...flow(usdc, 1n), asset: nft(weth, 7n), where };
  test.each<[string, Partial<Effect>, readonly string[]]>([
    ["its payer", { payer: bob }, [`payer ${bob}`]],
    ["no payer that is the owner", { payer: "self" }, []],
    ["its recipient", { receiver: bob }, [`recipient ${bob}`]],
    ["no recipient that is the called contract", { receiver: "venue" }, []],
    ["no recipient if there is none", { receiver: null }, []],
    ["its spender and token", anApproval(bob, 1n), [`spender ${bob}`, `token ${usdc}`]],
    ["a spender of the account itself", { authority: { ...spending(bob), asset: null } }, [`spender ${bob}`]],
    ["a token that leaves", { gives: [flow(usdc, 1n)] }, [`token ${usdc}`]],
    ["a token that arrives", { gets: [flow(weth, 1n)] }, [`token ${weth}`]],
    ["a collection", { gives: [piece] }, [`token ${weth}`]],
    ["no native token", { gives: [flow("native", 1n)] }, []],
    ["no asset without a name", { gives: [{ ...piece, asset: unsaid(bob) }] }, []],
    [
      "who gets a fee",
      { fees: [{ to: bob, asset: token(usdc), share: exactly(1n), where }] },
      [`fee ${bob}`],
    ],
    ["who gains control", { admin: { kind: "add_owner", party: bob } }, [`admin ${bob}`]],
    ["no party if control goes to none", { admin: { kind: "add_owner", party: null } }, []],
    [
      "an address that the caller chose",
      { choices: [{ what: "pool", value: bob, known: false, where }] },
      [`pool ${bob}`],
    ],
    ["no id that the caller chose", { choices: [{ what: "pool", value: "42", known: false, where }] }, []],
    [
      "no hash that the caller chose",
      { choices: [{ what: "pool", value: `0x${"1".repeat(64)}`, known: false, where }] },
      [],
    ],
    ["the contract whose code is run", { terms: { delegatecall: bob } }, [`delegate ${bob}`]],
    ["each hop", { terms: { path: [usdc, weth] } }, [`path ${usdc}`, `path ${weth}`]],
  ])("lists %s", (_, done, expected) => {
    expect(roles({ effects: [anEffect(done)] })).toEqual(expected);
  });
  test.each<[string, Partial<Effect>]>([
    ["a flow", { gives: [{ ...flow(usdc, 1n), where }] }],
    ["a fee", { fees: [{ to: bob, asset: token(usdc), share: exactly(1n), where }] }],
    ["a choice", { choices: [{ what: "pool", value: bob, known: false, where }] }],
    ["an allowance", { authority: { ...spending(bob), where } }],
  ])("names the place of %s", (_, done) => {
    expect(place({ effects: [anEffect(done)] })).toEqual(where);
  });
  test.each<[string, Partial<Effect>]>([
    ["recipient", { receiver: bob }],
    ["payer", { payer: bob }],
    ["admin", { admin: { kind: "add_owner", party: bob } }],
  ])("names the place of its %s, or its own", (role, done) => {
    expect(place({ effects: [anEffect({ ...done, places: { [role]: where } })] })).toEqual(where);
    expect(place({ effects: [anEffect(done)] })).toEqual(field("value"));
  });
});

function spending(spender: Address) {
  const { authority } = anApproval(spender, 1n);
  if (authority === null) throw new Error("an approval has an authority");
  return authority;
}

describe("an argument", () => {
  const node = (kind: Node["kind"], value: unknown, children: readonly Node[] = []): Node => ({
    ...{ name: "owner", kind, value, bytes: [4, 36], children },
  });
  test("that is an address is listed with its bytes", () => {
    expect(parties({ nodes: [node("address", bob)] })).toEqual([
      { address: bob, role: "owner", where: { call, field: "owner", bytes: [4, 36] } },
    ]);
  });
  test("that holds addresses lists each of them", () => {
    const list = node("array", [bob, me], [node("address", bob), node("address", me)]);
    expect(roles({ nodes: [node("tuple", {}, [list])] })).toEqual([`owner ${bob}`, `owner ${me}`]);
  });
  test("of any other type is not listed, even if it looks like an address", () => {
    expect(roles({ nodes: [node("string", bob), node("bytes", bob)] })).toEqual([]);
  });
});

describe("bytes with an encoding of their own", () => {
  const leafAt = (path: string, value: unknown, isAddress: boolean): OpenedPart["leaves"][number] => ({
    ...{ path, value, isAddress, bits: [0, 160] },
    use: { kind: "feeds", slots: [] },
  });
  const part = (...leaves: OpenedPart["leaves"]): OpenedPart => ({
    ...{ where: call, at: "data", base: null, leaves },
  });
  test("list their addresses by the last part of the path", () => {
    expect(parties({ opened: [part(leafAt("order.maker", bob, true), leafAt("to", me, true))] })).toEqual([
      { address: bob, role: "maker", where: { call, field: "data.order.maker" } },
      { address: me, role: "to", where: { call, field: "data.to" } },
    ]);
  });
  test("list nothing that is not an address", () => {
    expect(roles({ opened: [part(leafAt("hash", bob, false), leafAt("to", 5n, true))] })).toEqual([]);
    // A list of 42 elements is as long as an address.
    expect(roles({ opened: [part(leafAt("to", Array.from({ length: 42 }), true))] })).toEqual([]);
  });
});

describe("typed data", () => {
  const signed = (message: TypedData["message"], domain: TypedData["domain"] = {}): Given => ({
    proposal: { typedData: { domain, types: {}, primaryType: "Order", message } },
  });
  const order = "proposed_tx.order";
  test("lists the verifying contract", () => {
    expect(parties(signed({}, { verifyingContract: bob }))).toEqual([
      { address: bob, role: "to", where: { call: order, field: "domain.verifyingContract" } },
    ]);
    expect(parties(signed({}, {}))).toEqual([]);
  });
  test("lists every address of the message, however it is nested", () => {
    expect(parties(signed({ maker: bob, details: { fees: [{ to: mallory }] }, note: null }))).toEqual([
      { address: bob, role: "maker", where: { call: order, field: "message.maker" } },
      { address: mallory, role: "to", where: { call: order, field: "message.details.fees.0.to" } },
    ]);
  });
  test("lists an address that is the only one in a list", () => {
    expect(roles(signed({ to: [bob] }))).toEqual([`0 ${bob}`]);
  });
  test("lists addresses in upper and lower case", () => {
    expect(roles(signed({ a: `0x${"AB".repeat(20)}` }))).toEqual([`a 0x${"ab".repeat(20)}`]);
  });
  test.each<[string, unknown]>([
    ["one digit too few", bob.slice(0, -1)],
    ["one digit too many", `${bob}2`],
    ["something before it", `x${bob}`],
    ["a letter that is not a hex digit", `${bob.slice(0, -1)}g`],
    ["no 0x, but the right length", "2".repeat(42)],
    ["a number", 5n],
    ["a text", "text"],
    ["a list of 42 elements", Array.from({ length: 42 })],
  ])("does not read as an address: %s", (_, value) => {
    expect(roles(signed({ value }))).toEqual([]);
  });
  test("is read twelve levels deep", () => {
    const nested = (levels: number): TypedData["message"] =>
      levels === 0 ? { to: bob } : { inner: nested(levels - 1) };
    expect(roles(signed(nested(11)))).toEqual([`to ${bob}`]);
    expect(roles(signed(nested(12)))).toEqual([]);
  });
});
