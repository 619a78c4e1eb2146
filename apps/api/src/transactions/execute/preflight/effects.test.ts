import fc from "fast-check";
import { encodeAbiParameters, pad, toEventSelector } from "viem/utils";
import { describe, expect, test } from "vitest";
import type { Log } from "../../../adapters/chain/index.ts";
import type { Hex } from "../../transaction.ts";
import { effectsOn, nativeAsset, type Effects } from "./effects.ts";

const escrow: Hex = `0x${"e5".repeat(20)}`;
const other: Hex = `0x${"0b".repeat(20)}`;
const third: Hex = `0x${"0c".repeat(20)}`;
const token: Hex = `0x${"aa".repeat(20)}`;
const nobody: Hex = `0x${"00".repeat(20)}`;
const permit2: Hex = "0x000000000022d473030f116ddee9f6b43ac78ba3";

const word = (value: Hex | bigint): Hex =>
  pad(typeof value === "bigint" ? `0x${value.toString(16).padStart(2, "0")}` : value);
const words = (...values: readonly (Hex | bigint)[]): Hex =>
  `0x${values.map((value) => word(value).slice(2)).join("")}`;
/** Indexed values as topics, the others as data. */
const log = (event: string, indexed: readonly (Hex | bigint)[], data: Hex, address = token): Log => ({
  address,
  topics: [toEventSelector(event), ...indexed.map(word)],
  data,
});

const transfer = "Transfer(address,address,uint256)";
const approval = "Approval(address,address,uint256)";
const single = "TransferSingle(address,address,address,uint256,uint256)";
const batch = "TransferBatch(address,address,address,uint256[],uint256[])";
const forAll = "ApprovalForAll(address,address,bool)";
const permit2Approval = "Approval(address,address,address,uint160,uint48)";
const permit2Permit = "Permit(address,address,address,uint160,uint48,uint48)";

const none: Effects = { out: [], in: [], allowances: [], unreadable: [] };
const lists = (ids: readonly bigint[], amounts: readonly bigint[]): Hex =>
  encodeAbiParameters([{ type: "uint256[]" }, { type: "uint256[]" }], [ids, amounts]);

describe("decodes", () => {
  test.each<[string, Log, Partial<Effects>]>([
    [
      "a token goes out",
      log(transfer, [escrow, other], words(7n)),
      { out: [{ asset: token, id: null, party: other, amount: "7" }] },
    ],
    [
      "a token comes in",
      log(transfer, [other, escrow], words(7n)),
      { in: [{ asset: token, id: null, party: other, amount: "7" }] },
    ],
    [
      "money of the chain goes out",
      log(transfer, [escrow, other], words(7n), nativeAsset),
      { out: [{ asset: nativeAsset, id: null, party: other, amount: "7" }] },
    ],
    [
      "a single thing goes out, by its number",
      log(transfer, [escrow, other, 12n], "0x"),
      { out: [{ asset: token, id: "12", party: other, amount: "1" }] },
    ],
    [
      "a single thing comes in, by its number",
      log(transfer, [other, escrow, 12n], "0x"),
      { in: [{ asset: token, id: "12", party: other, amount: "1" }] },
    ],
    [
      "a single thing is made, whatever its number",
      log(transfer, [nobody, escrow, 12n], "0x"),
      { in: [{ asset: token, id: "new", party: nobody, amount: "1" }] },
    ],
    [
      "some of one kind go out",
      log(single, [third, escrow, other], words(4n, 9n)),
      { out: [{ asset: token, id: "4", party: other, amount: "9" }] },
    ],
    [
      "some of several kinds come in",
      log(batch, [third, other, escrow], lists([4n, 5n], [9n, 8n])),
      {
        in: [
          { asset: token, id: "4", party: other, amount: "9" },
          { asset: token, id: "5", party: other, amount: "8" },
        ],
      },
    ],
    [
      "an allowance",
      log(approval, [escrow, other], words(7n)),
      { allowances: [{ kind: "amount", asset: token, id: null, spender: other, amount: "7" }] },
    ],
    [
      "an allowance of a single thing",
      log(approval, [escrow, other, 12n], "0x"),
      { allowances: [{ kind: "item", asset: token, id: "12", spender: other, amount: "1" }] },
    ],
    [
      "an allowance of a single thing, taken back",
      log(approval, [escrow, nobody, 12n], "0x"),
      { allowances: [{ kind: "item", asset: token, id: "12", spender: nobody, amount: "0" }] },
    ],
    [
      "an allowance of everything",
      log(forAll, [escrow, other], words(1n)),
      { allowances: [{ kind: "all", asset: token, id: null, spender: other, amount: "1" }] },
    ],
    [
      "an allowance kept by Permit2",
      log(permit2Approval, [escrow, token, other], words(7n, 99n), permit2),
      { allowances: [{ kind: "permit2", asset: token, id: null, spender: other, amount: "7" }] },
    ],
    [
      "an allowance kept by Permit2, by signature",
      log(permit2Permit, [escrow, token, other], words(7n, 99n, 0n), permit2),
      { allowances: [{ kind: "permit2", asset: token, id: null, spender: other, amount: "7" }] },
    ],
    [
      "an allowance that only looks as if Permit2 kept it",
      log(permit2Approval, [escrow, token, other], words(7n, 99n)),
      {},
    ],
    [
      "money of the chain is wrapped",
      log("Deposit(address,uint256)", [escrow], words(7n)),
      { in: [{ asset: token, id: null, party: nobody, amount: "7" }] },
    ],
    [
      "money of the chain is unwrapped",
      log("Withdrawal(address,uint256)", [escrow], words(7n)),
      { out: [{ asset: token, id: null, party: nobody, amount: "7" }] },
    ],
    ["a token between others", log(transfer, [other, third], words(7n)), {}],
    ["a token to itself", log(transfer, [escrow, escrow], words(7n)), {}],
    ["no token at all", log(transfer, [escrow, other], words(0n)), {}],
    ["another account's allowance", log(approval, [other, escrow], words(7n)), {}],
    ["an event of another kind", log("Sync(uint112,uint112)", [escrow], words(7n)), {}],
    ["an event without a name", { address: token, topics: [], data: words(escrow) }, {}],
  ])("%s", (_, said, expected) => {
    expect(effectsOn(escrow, [said])).toEqual({ ...none, ...expected });
  });
});

describe("of several events", () => {
  test("sums the same asset between the same parties, and keeps others apart", () => {
    const { out } = effectsOn(escrow, [
      log(transfer, [escrow, other], words(7n)),
      log(transfer, [escrow, third], words(1n)),
      log(transfer, [escrow, other], words(2n ** 256n - 1n)),
    ]);
    expect(out.map(({ party, amount }) => [party, amount])).toEqual([
      [other, (2n ** 256n + 6n).toString()],
      [third, "1"],
    ]);
  });

  test("the last allowance counts", () => {
    const { allowances } = effectsOn(escrow, [
      log(approval, [escrow, other], words(7n)),
      log(approval, [escrow, other], words(0n)),
      log(approval, [escrow, other, 3n], "0x"),
      log(approval, [escrow, third, 3n], "0x"),
    ]);
    expect(allowances.map(({ kind, spender, amount }) => [kind, spender, amount])).toEqual([
      ["amount", other, "0"],
      ["item", third, "1"],
    ]);
  });
});

describe("an undecodable event", () => {
  const dirty: Hex = `0x${"11".repeat(12)}${escrow.slice(2)}`;
  test.each<[string, Log]>([
    ["a transfer with too much data", log(transfer, [escrow, other], words(1n, 2n))],
    ["a transfer with too little data", log(transfer, [escrow, other], "0x01")],
    ["a transfer with too few topics", log(transfer, [escrow], words(1n))],
    ["a transfer in the old form, all of it data", log(transfer, [], words(escrow, other, 1n))],
    ["a transfer between more than addresses", log(transfer, [dirty, other], words(1n))],
    ["a batch of lists of different lengths", log(batch, [third, escrow, other], lists([1n, 2n], [1n]))],
    ["a batch that ends in the middle", log(batch, [third, escrow, other], words(64n, 128n, 9n, 9n))],
    ["a batch of half a word", log(batch, [third, escrow, other], "0x12")],
    ["a batch without data", log(batch, [third, escrow, other], "0x")],
    ["a single kind without data", log(single, [third, escrow, other], "0x")],
    ["an allowance of everything that is neither yes nor no", log(forAll, [escrow, other], words(2n))],
    [
      "an allowance at Permit2 without an amount",
      log(permit2Approval, [escrow, token, other], "0x", permit2),
    ],
    ["wrapping without an amount", log("Deposit(address,uint256)", [escrow], "0x")],
  ])("%s is stored by its digest, and counted", (_, said) => {
    const once = effectsOn(escrow, [said]);
    expect(once).toEqual({
      ...none,
      unreadable: [{ address: said.address, digest: expect.any(String) as string, times: 1 }],
    });
    expect(effectsOn(escrow, [said, said]).unreadable[0]?.times).toBe(2);
  });

  test("is ignored when it does not contain the wallet", () => {
    expect(effectsOn(escrow, [log(transfer, [other, third], "0x")])).toEqual(none);
  });
});

describe("for arbitrary logs", () => {
  const byte = (length: number) =>
    fc
      .uint8Array({ minLength: length, maxLength: length })
      .map((some): Hex => `0x${Buffer.from(some).toString("hex")}`);
  const names = [
    transfer,
    approval,
    single,
    batch,
    forAll,
    permit2Approval,
    permit2Permit,
    "Deposit(address,uint256)",
  ];
  const topic = fc.oneof(byte(32), fc.constantFrom(...[escrow, other, nobody].map(word)));
  const anyLog: fc.Arbitrary<Log> = fc.record({
    address: fc.constantFrom(token, nativeAsset, permit2),
    topics: fc
      .tuple(fc.constantFrom(...names.map(toEventSelector)), fc.array(topic, { maxLength: 3 }))
      .map(([name, rest]) => [name, ...rest]),
    data: fc.oneof(
      fc.uint8Array({ maxLength: 300 }).map((some): Hex => `0x${Buffer.from(some).toString("hex")}`),
      fc.array(fc.bigInt(0n, 200n), { maxLength: 8 }).map((some) => words(...some)),
    ),
  });

  test("never throws, and ignores the order of transfers", () => {
    fc.assert(
      fc.property(fc.array(anyLog, { maxLength: 12 }), (logs) => {
        const { out, in: into, unreadable } = effectsOn(escrow, logs);
        const reversed = effectsOn(escrow, logs.toReversed());
        expect({ out, in: into, unreadable }).toEqual({
          ...{ out: reversed.out, in: reversed.in, unreadable: reversed.unreadable },
        });
      }),
    );
  });

  test("truncated or extended data is either ignored or stored by its digest", () => {
    const whole = [
      log(transfer, [escrow, other], words(7n)),
      log(single, [third, escrow, other], words(4n, 9n)),
      log(batch, [third, escrow, other], lists([4n, 5n], [9n, 8n])),
      log(approval, [escrow, other], words(7n)),
      log(forAll, [escrow, other], words(1n)),
      log(permit2Approval, [escrow, token, other], words(7n, 99n), permit2),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...whole), fc.integer({ min: -40, max: 40 }), (said, change) => {
        fc.pre(change !== 0);
        const data: Hex =
          change > 0
            ? `0x${said.data.slice(2)}${"00".repeat(change)}`
            : `0x${said.data.slice(2, Math.max(2, said.data.length + 2 * change))}`;
        expect(effectsOn(escrow, [{ ...said, data }])).toMatchObject({ ...none, unreadable: [{ times: 1 }] });
      }),
    );
  });
});
