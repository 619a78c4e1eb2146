import { concatHex, decodeFunctionData, encodeFunctionData, encodePacked, parseAbi, size } from "viem/utils";
import { describe, expect, test } from "vitest";
import type { Hex } from "../index.ts";
import { readMultiSend } from "./multi-send.ts";
import { signedCalls } from "./signed-calls.ts";

const me: Hex = `0x${"a1".repeat(20)}`;
const friend: Hex = `0x${"b2".repeat(20)}`;
const token: Hex = `0x${"c3".repeat(20)}`;
const other: Hex = `0x${"d4".repeat(20)}`;
const permit2: Hex = "0x000000000022d473030f116ddee9f6b43ac78ba3";
const multiSend: Hex = "0x9641d764fc13c8b624c04430c7356c1c7c8102e2";
const abi = parseAbi([
  "function transfer(address to, uint256 value)",
  "function approve(address spender, uint256 value)",
  "function approve(address token, address spender, uint160 amount, uint48 expiration)",
  "function multiSend(bytes transactions)",
]);

const data = (primaryType: string, message: object, verifyingContract: string = token) => ({
  ...{ domain: { verifyingContract }, primaryType },
  message: message as Readonly<Record<string, unknown>>,
});
const payment = (over: object = {}) =>
  data("TransferWithAuthorization", {
    ...{ from: me, to: friend, value: "25", validAfter: "0", validBefore: "9", nonce: "0x01" },
    ...over,
  });
const permit = (over: object = {}) =>
  data("Permit", { owner: me, spender: friend, value: "25", nonce: "0", deadline: "9", ...over });
const details = (asset: Hex, amount = "25") => ({ token: asset, amount, expiration: "9", nonce: "0" });
const pack = (call: {
  readonly to: Hex;
  readonly value?: bigint;
  readonly data?: Hex;
  readonly operation?: number;
}): Hex => {
  const { to, value = 0n, data: input = "0x", operation = 0 } = call;
  return encodePacked(
    ["uint8", "address", "uint256", "uint256", "bytes"],
    [operation, to, value, BigInt(size(input)), input],
  );
};
const batch = (...packed: readonly Hex[]): Hex =>
  encodeFunctionData({ abi, functionName: "multiSend", args: [concatHex(packed)] });
const safeTx = (over: object = {}) =>
  data("SafeTx", {
    ...{ to: friend, value: "5", data: "0x", operation: "0", safeTxGas: "0", baseGas: "0", gasPrice: "0" },
    ...{ gasToken: token, refundReceiver: token, nonce: "7" },
    ...over,
  });

/** The first call, decoded. */
const decoded = (given: Parameters<typeof signedCalls>[0]) => {
  const { account, calls } = signedCalls(given, me) ?? { account: null, calls: [] };
  return {
    account,
    calls: calls.map((call) => ({ to: call.to, ...decodeFunctionData({ abi, data: call.data }) })),
  };
};

describe("a signature lets others make", () => {
  test.each(["TransferWithAuthorization", "ReceiveWithAuthorization"])("%s: the payment", (primaryType) => {
    expect(decoded({ ...payment(), primaryType })).toEqual({
      account: me,
      calls: [{ to: token, functionName: "transfer", args: [expect.stringMatching(/^0x[bB]2/), 25n] }],
    });
  });

  test("a permit: the allowance", () => {
    expect(decoded(permit())).toMatchObject({
      ...{ account: me, calls: [{ to: token, functionName: "approve", args: [expect.anything(), 25n] }] },
    });
    expect(decoded(permit({ value: 2n ** 200n }))).toMatchObject({
      calls: [{ args: [expect.anything(), 2n ** 200n] }],
    });
  });

  test("a permit of DAI: an allowance of everything, or its end", () => {
    const dai = (allowed: unknown) =>
      data("Permit", { holder: me, spender: friend, nonce: "0", expiry: "0", allowed });
    expect(decoded(dai(true))).toMatchObject({
      calls: [{ functionName: "approve", args: [expect.anything(), 2n ** 256n - 1n] }],
    });
    expect(decoded(dai(false))).toMatchObject({ calls: [{ args: [expect.anything(), 0n] }] });
    expect(signedCalls(dai("true"), me)).toBeUndefined();
  });

  test("a permit for Permit2: the allowance of each token inside it", () => {
    const single = data(
      "PermitSingle",
      { details: details(token), spender: friend, sigDeadline: "9" },
      permit2,
    );
    expect(decoded(single)).toMatchObject({
      ...{ account: me, calls: [{ to: permit2, functionName: "approve" }] },
    });
    const several = { details: [details(token), details(other, "7")], spender: friend, sigDeadline: "9" };
    const { calls } = decoded(data("PermitBatch", several, permit2));
    expect(calls.map(({ args }) => args[2])).toEqual([25n, 7n]);
  });

  test("a transaction of a Safe: its call, made by the Safe", () => {
    expect(signedCalls(safeTx(), me)).toEqual({
      ...{ account: token, calls: [{ to: friend, value: "5", data: "0x" }] },
    });
  });

  test("a batch of a Safe: its calls in their order", () => {
    const packed = batch(pack({ to: friend, value: 5n }), pack({ to: other, data: "0xabcd" }));
    expect(signedCalls(safeTx({ to: multiSend, value: "0", operation: "1", data: packed }), me)).toEqual({
      account: token,
      calls: [
        { to: friend, value: "5", data: "0x" },
        { to: other, value: "0", data: "0xabcd" },
      ],
    });
  });

  test("an address in any case, and an integer in both forms", () => {
    const upper = payment({ from: `0x${"A1".repeat(20)}`, to: `0x${"B2".repeat(20)}`, value: 25n });
    expect(signedCalls(upper, me)).toEqual(signedCalls(payment(), me));
    expect(signedCalls(payment(), `0x${"A1".repeat(20)}`)).toEqual(signedCalls(payment(), me));
  });
});

describe("nothing that can be simulated is let by", () => {
  const packed = (...calls: readonly Hex[]) =>
    safeTx({ to: multiSend, value: "0", operation: "1", data: batch(...calls) });
  test.each<[string, Parameters<typeof signedCalls>[0]]>([
    ["an order", data("Order", { sellToken: token, buyToken: other })],
    ["a payment from another account", payment({ from: other })],
    ["a permit of another owner", permit({ owner: other })],
    ["a payment without a token", data("TransferWithAuthorization", payment().message, "")],
    ["a payment to no address", payment({ to: "bob.eth" })],
    ["a negative amount", payment({ value: "-5" })],
    ["a number, which JSON rounds", payment({ value: 25 })],
    ["an amount that is too large", payment({ value: (2n ** 256n).toString() })],
    [
      "a permit for another contract than Permit2",
      data("PermitSingle", { details: details(token), spender: friend }),
    ],
    ["a permit of no token", data("PermitBatch", { details: [], spender: friend }, permit2)],
    [
      "a permit with an amount that is too large",
      data("PermitSingle", { details: details(token, (2n ** 160n).toString()), spender: friend }, permit2),
    ],
    [
      "an expiry that is too large",
      data(
        "PermitSingle",
        { details: { ...details(token), expiration: (2n ** 48n).toString() }, spender: friend },
        permit2,
      ),
    ],
    ["code that a Safe runs as its own", safeTx({ operation: "1", data: "0x1234" })],
    [
      "a batch of a Safe by a contract that is not known",
      safeTx({ operation: "1", data: batch(pack({ to: friend })) }),
    ],
    ["a batch that runs code as the Safe's own", packed(pack({ to: friend, operation: 1 }))],
    ["a batch that is cut off", packed(pack({ to: friend }), "0x00")],
    ["an empty batch", packed()],
    ["a batch of 65 calls", packed(...Array.from({ length: 65 }, () => pack({ to: friend })))],
    ["a Safe that pays a refund", safeTx({ gasPrice: "1" })],
    ["calldata of half a byte", safeTx({ data: "0x123" })],
  ])("%s", (_, given) => {
    expect(signedCalls(given, me)).toBeUndefined();
  });
});

describe("the calls of a MultiSend", () => {
  test("are those that are whole", () => {
    const cut: Hex = `0x00${"1a".repeat(20)}${"00".repeat(32)}${"ff".repeat(32)}`;
    expect(readMultiSend(batch(pack({ to: friend, value: 5n }), cut))).toEqual({
      ...{ calls: [{ operation: 0, to: friend, value: 5n, data: "0x" }], isWhole: false },
    });
    expect(readMultiSend(batch())).toEqual({ calls: [], isWhole: true });
    expect(readMultiSend("0xa9059cbb")).toBeUndefined();
  });
});
