import fc from "fast-check";
import type { AbiFunction } from "abitype";
import { keccak256, parseAbiItem, toFunctionSelector } from "viem";
import { describe, expect, test } from "vitest";
import type { Effect, Reading } from "../effects.ts";
import type { Address, Call, Hex, Proposal } from "../proposal.ts";
import { loadProtocols } from "../protocols/load-protocols.ts";
import { aCall, aProposal, encodeCall, ME, packRecord, smallRegistry } from "../../test/protocols.ts";
import { readBytes } from "./read-bytes.ts";

const protocols = await loadProtocols();
const registry = smallRegistry();
const read = (parts: Partial<Proposal>): Reading => readBytes(aProposal(parts), { registry, protocols });
const readCall = (call: Parameters<typeof aCall>[0], parts: Partial<Proposal> = {}): Reading =>
  read({ calls: [aCall(call)], ...parts });

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const FRIEND: Address = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
const THIEF: Address = "0x6666666666666666666666666666666666666666";
const SAFE: Address = "0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe";
const MULTISEND = "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526";
const ZERO: Address = `0x${"0".repeat(40)}`;

const transfer = (to: string, amount: number): Hex =>
  encodeCall("function transfer(address,uint256)", [to, amount]);
const EXEC =
  "function execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)";
const exec = (to: string, data: string, operation = 0): Hex =>
  encodeCall(EXEC, [to, 0, data, operation, 0, 0, 0, ZERO, ZERO, "0x"]);
const acts = ({ effects }: Reading): readonly string[] => effects.map(({ act }) => act);

describe("coin", () => {
  test("sent to an account is a transfer", () => {
    const { effects, net, parties } = readCall({ to: FRIEND, value: "100" });
    expect(effects).toMatchObject([
      { act: "transfer", payer: "self", receiver: FRIEND, knowledge: "standard" },
    ]);
    expect(net.leaves).toEqual([{ asset: { kind: "native" }, most: 100n, everything: false }]);
    expect(net.others).toMatchObject([{ party: FRIEND, most: 100n }]);
    expect(parties).toContainEqual(expect.objectContaining({ address: FRIEND, role: "to" }));
  });

  test("sent with an unknown function is opaque, and leaves the account", () => {
    const { effects, net } = readCall({ to: FRIEND, value: "100", data: "0xdeadbeef" });
    expect(effects).toMatchObject([{ act: "opaque", knowledge: "none", receiver: FRIEND }]);
    expect(net.leaves).toMatchObject([{ most: 100n }]);
  });

  test("sent to a function that does not use it is a fault of the effect", () => {
    const { effects } = readCall({ to: USDC, value: "100", data: transfer(FRIEND, 5) });
    expect(effects[0]?.gives.map(({ asset }) => asset.kind)).toEqual(["native", "token"]);
    expect(effects[0]?.terms.faults?.[0]?.text).toContain("more native token is sent than is used");
  });

  test("sent to no address is a deployment", () => {
    expect(acts(readCall({ to: null, value: "1", data: "0x6000" }))).toEqual(["deploy"]);
  });

  test("sent to no address has the hash of the code as its choice", () => {
    const codeOf = (data: string) => readCall({ to: null, data }).effects[0]?.choices;
    expect(codeOf("0x6000")).toMatchObject([{ what: "code", value: keccak256("0x6000"), known: false }]);
    expect(codeOf("0x6001")).toMatchObject([{ what: "code", value: keccak256("0x6001"), known: false }]);
  });
});

describe("the owner's account", () => {
  test("is self wherever its address occurs", () => {
    const data = encodeCall("function transferFrom(address,address,uint256)", [THIEF, ME, 5]);
    expect(readCall({ to: USDC, data }).effects).toMatchObject([{ payer: THIEF, receiver: "self" }]);
  });

  test("is no address if the request names no account", () => {
    const { effects } = readCall({ to: USDC, data: transfer(ME, 5) }, { actor: null });
    expect(effects).toMatchObject([{ payer: "self", receiver: ME }]);
  });

  test("a token sent to its own contract keeps the contract's address as the receiver", () => {
    expect(readCall({ to: USDC, data: transfer(USDC, 5) }).effects).toMatchObject([{ receiver: USDC }]);
  });
});

describe("a contract that the owner acts through", () => {
  const pull = encodeCall("function transferFrom(address,address,uint256)", [ME, SAFE, 5]);
  const execute = (data: Hex): Hex => encodeCall("function execute(address,uint256,bytes)", [USDC, 0, data]);

  test("acts for the owner in its own name", () => {
    expect(readCall({ to: SAFE, data: execute(transfer(FRIEND, 5)) }).effects).toMatchObject([
      { payer: "self", receiver: FRIEND },
    ]);
  });

  test("does not keep for the owner what it takes from the owner's named account", () => {
    expect(readCall({ to: SAFE, data: execute(pull) }).effects).toMatchObject([
      { payer: "self", receiver: SAFE },
    ]);
  });
});

describe("nested calls", () => {
  test("have their places below those of the outer calls", () => {
    const { leaves, effects } = readCall({ to: SAFE, data: exec(USDC, transfer(FRIEND, 5)) });
    expect(leaves.map(({ where, wrapper }) => [where, wrapper ?? false])).toEqual([
      ["proposed_tx", true],
      ["proposed_tx/0", false],
    ]);
    expect(effects[0]?.places["receiver"]).toEqual({ call: "proposed_tx/0", field: "to", bytes: [4, 36] });
  });

  test("are read eight levels deep; the ninth is rejected and reported", () => {
    const nest = (levels: number): Hex => {
      let data = transfer(FRIEND, 5);
      let to = USDC;
      for (let i = 0; i < levels; i += 1) {
        data = exec(to, data);
        to = SAFE;
      }
      return data;
    };
    expect(readCall({ to: SAFE, data: nest(8) })).toMatchObject({
      limit: null,
      effects: [{ act: "transfer" }],
    });
    const deep = readCall({ to: SAFE, data: nest(9) });
    expect(deep.limit).toContain("8 deep");
    expect(acts(deep)).toEqual(["opaque"]);
  });

  test("beyond 256 are too many, and the rest is opaque", () => {
    const records = Array.from({ length: 300 }, () => packRecord({ to: USDC, data: transfer(FRIEND, 1) }));
    const data = encodeCall("function multiSend(bytes)", [
      `0x${records.map((each) => each.slice(2)).join("")}`,
    ]);
    const { limit, effects, leaves } = readCall({ to: SAFE, data: exec(MULTISEND, data, 1) });
    expect(limit).toContain("256 calls");
    expect(leaves.length).toBe(256);
    expect(effects.at(-1)?.act).toBe("opaque");
  });

  test("of more than a mebibyte are too much", () => {
    const { limit, effects } = readCall({ to: FRIEND, data: `0x${"ab".repeat(1024 * 1024 + 1)}` });
    expect(limit).toContain("bytes");
    expect(acts({ effects } as Reading)).toEqual(["opaque"]);
  });

  test("are opaque if a record declares more bytes than follow", () => {
    const record = packRecord({ to: USDC, data: transfer(FRIEND, 1) });
    const longer = record.slice(0, -8);
    const data = encodeCall("function multiSend(bytes)", [longer]);
    expect(acts(readCall({ to: SAFE, data: exec(MULTISEND, data, 1) }))).toEqual(["opaque"]);
  });

  test("are opaque if there are no records", () => {
    const data = encodeCall("function multiSend(bytes)", ["0x"]);
    expect(acts(readCall({ to: SAFE, data: exec(MULTISEND, data, 1) }))).toEqual(["opaque"]);
  });

  test("that delegatecall unknown code give it control over the account, whatever they look like", () => {
    const { effects, leaves, net } = readCall({ to: SAFE, data: exec(THIEF, transfer(FRIEND, 0), 1) });
    expect(effects).toMatchObject([{ act: "admin", terms: { delegatecall: THIEF } }]);
    expect(leaves.at(-1)).toMatchObject({ delegatecall: true, function: "transfer" });
    expect(net.admin).toMatchObject([{ kind: "delegatecall", party: THIEF }]);
    expect(net.authority).toMatchObject([{ spender: THIEF, asset: null }]);
  });
});

describe("authorizations", () => {
  const tuple = (delegate: Address, chainId: bigint): Effect | undefined =>
    read({ authorizations: [{ at: "proposed_tx.authorizationList[0]", chainId, delegate }] }).effects[0];

  test("hand over the account's code", () => {
    expect(tuple(THIEF, 1n)).toMatchObject({
      act: "admin",
      admin: { kind: "delegate_code", party: THIEF },
      authority: { spender: THIEF, asset: null },
      terms: {},
    });
  });

  test("for chain zero apply on every chain", () => {
    expect(tuple(THIEF, 0n)?.terms.anyChain).toBe(true);
  });

  test("to the zero address remove the delegation", () => {
    expect(tuple(ZERO, 1n)).toMatchObject({
      admin: { kind: "revoke_delegation" },
      authority: null,
    });
  });
});

describe("typed data of an unknown type", () => {
  test("is opaque, and its addresses are still listed", () => {
    const typedData = { domain: {}, types: {}, primaryType: "Drain", message: { list: [{ to: THIEF }] } };
    const { effects, parties } = read({ typedData });
    expect(effects).toMatchObject([{ act: "opaque", where: { call: "proposed_tx.order" } }]);
    expect(parties).toContainEqual({
      address: THIEF,
      role: "to",
      where: { call: "proposed_tx.order", field: "message.list.0.to" },
    });
  });
});

describe("arbitrary bytes", () => {
  const address = fc
    .uint8Array({ minLength: 20, maxLength: 20 })
    .map((b): Address => `0x${Buffer.from(b).toString("hex")}`);
  const bytes = fc.uint8Array({ maxLength: 600 }).map((b) => Buffer.from(b).toString("hex"));
  const calm = (act: string): boolean => act === "opaque" || act === "deploy";

  test("with an unknown selector move funds only as opaque effects", () => {
    fc.assert(
      fc.property(address, fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), bytes, (to, value, hex) => {
        const data: Hex = `0x${hex}`;
        fc.pre(hex.length > 0 && protocols.functionsFor(data.slice(0, 10) as Hex).length === 0);
        const { effects } = read({ calls: [{ at: "proposed_tx", to, value, data }] });
        expect(effects.every(({ act }) => calm(act))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  const signatures = [...protocols.all.values()].flatMap(({ functions }) =>
    functions.map(({ signature }) => signature),
  );
  const selectors = [...new Set(signatures)].map((signature) =>
    toFunctionSelector(parseAbiItem(signature) as AbiFunction),
  );

  test("after a known selector never throw, and never lose the native value", () => {
    fc.assert(
      fc.property(address, fc.constantFrom(...selectors), bytes, fc.nat(1000), (to, selector, hex, value) => {
        const call: Call = { at: "proposed_tx", to, value: BigInt(value), data: `${selector}${hex}` as Hex };
        const { effects, net } = read({ calls: [call] });
        expect(effects.length).toBeGreaterThan(0);
        const gone = net.leaves.find(({ asset }) => asset.kind === "native")?.most ?? 0n;
        const fees = effects.flatMap(({ fees: paid }) => paid).filter(({ asset }) => asset.kind === "native");
        expect(gone >= BigInt(value) || fees.length > 0).toBe(true);
      }),
      { numRuns: 1500 },
    );
  });

  test("of any shape never throw", () => {
    const odd = fc.oneof(
      fc.string(),
      bytes.map((hex) => `0x${hex}`),
      fc.constantFrom("0x", "0x0", "", "0xzz"),
    );
    fc.assert(
      fc.property(odd, fc.option(address), (data, to) => {
        expect(() =>
          read({ calls: [{ at: "proposed_tx", to, value: 0n, data: data as Hex }] }),
        ).not.toThrow();
      }),
      { numRuns: 300 },
    );
  });
});
