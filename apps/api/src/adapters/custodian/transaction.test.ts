import fc from "fast-check";
import { formatEther } from "viem";
import { describe, expect, test } from "vitest";
import { describeOrder, idempotencyKeyOf, readAmount, reportOn, transactionShape } from "./transaction.ts";

const requestHash = `0x${"ab".repeat(32)}` as const;
const to = `0x${"cd".repeat(20)}` as const;
const order = { requestHash, chainId: 1, to, value: 1_500_000_000_000_000_001n, data: "0x" } as const;

describe("an order in the custodian's format", () => {
  test("is a transfer without data", () => {
    expect(JSON.parse(describeOrder(order, "7", "ETH"))).toEqual({
      operation: "TRANSFER",
      assetId: "ETH",
      source: { type: "VAULT_ACCOUNT", id: "7" },
      destination: { type: "ONE_TIME_ADDRESS", oneTimeAddress: { address: to } },
      amount: "1.500000000000000001",
      externalTxId: requestHash,
      note: `Countersign ${requestHash}`,
    });
  });
  test("is a contract call with data", () => {
    const described: unknown = JSON.parse(
      describeOrder({ ...order, value: 0n, data: "0xa9059cbb" }, "7", "ETH"),
    );
    expect(described).toMatchObject({
      operation: "CONTRACT_CALL",
      amount: "0",
      extraParameters: { contractCallData: "0xa9059cbb" },
    });
  });
  test("has an idempotency key of forty characters, from its hash", () => {
    expect(idempotencyKeyOf(requestHash)).toBe("ab".repeat(20));
  });
});

describe("an amount", () => {
  test("round-trips to the last wei", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (value) => {
        expect(readAmount(formatEther(value))).toBe(value);
      }),
    );
  });
  test("may have trailing zeros", () => {
    expect(readAmount("1.50")).toBe(1_500_000_000_000_000_000n);
    expect(readAmount(`1.${"0".repeat(30)}`)).toBe(10n ** 18n);
  });
  test.each([
    ["with more places than there are wei", "1.0000000000000000001"],
    ["in powers of ten", "1e18"],
    ["below zero", "-1"],
    ["with a plus", "+1"],
    ["with a separator", "1,000"],
    ["in base sixteen", "0x10"],
    ["that is empty", ""],
    ["with a space", " 1"],
    ["with a line after it", "1\n"],
    ["without a whole part", ".5"],
    ["without places after its point", "1."],
    ["that is a number", 1],
    ["that is an object", { amount: "1" }],
    ["in other digits", "١"],
    ["that never ends", "1".repeat(5000)],
  ])("%s matches no order", (_what, amount) => {
    expect(readAmount(amount)).toBe(-1n);
  });
});

const told = (more: object) =>
  reportOn(transactionShape.parse({ id: "1", status: "COMPLETED", ...more }), "7");

describe("their record", () => {
  test.each([
    ...[
      "SUBMITTED",
      "PENDING_AML_SCREENING",
      "PENDING_ENRICHMENT",
      "PENDING_AUTHORIZATION",
      "QUEUED",
      "PENDING_SIGNATURE",
      "PENDING_3RD_PARTY_MANUAL_APPROVAL",
      "PENDING_3RD_PARTY",
      "BROADCASTING",
      "CONFIRMING",
      "CANCELLING",
      "A_WORD_OF_TOMORROW",
      "failed",
    ].map((status) => [status, "under way"] as const),
    ["COMPLETED", "done"],
    ...["CANCELLED", "REJECTED", "BLOCKED", "FAILED", "TIMEOUT"].map((status) => [status, "failed"] as const),
  ] as const)("with the status %s is %s", (status, state) => {
    expect(told({ status })).toMatchObject({ state, detail: status });
  });
  test("is reported with its details, in lower case", () => {
    expect(
      told({
        subStatus: "CONFIRMED",
        txHash: `0x${"AB".repeat(32)}`,
        destinationAddress: `0x${"CD".repeat(20)}`,
        source: { type: "VAULT_ACCOUNT", id: "7" },
        amountInfo: { amount: "0.5", requestedAmount: "0.5" },
        extraParameters: { contractCallData: "A9059CBB" },
      }),
    ).toEqual({
      theirId: "1",
      state: "done",
      detail: "COMPLETED: CONFIRMED",
      hash: `0x${"ab".repeat(32)}`,
      call: { to, value: 5n * 10n ** 17n, data: "0xa9059cbb" },
    });
  });
  test("without the call is reported without it", () => {
    expect(told({ txHash: "", destinationAddress: "", amountInfo: null, extraParameters: {} })).toMatchObject(
      {
        hash: null,
        call: {},
      },
    );
  });
  test("of a transfer has no data", () => {
    expect(told({ operation: "TRANSFER" }).call).toEqual({ data: "0x" });
  });
  test("whose amounts contradict each other matches no order", () => {
    expect(told({ amountInfo: { amount: "1", requestedAmount: "2" } }).call.value).toBe(-1n);
    expect(told({ amountInfo: { amount: "1", requestedAmount: 1 } }).call.value).toBe(-1n);
  });
  test("of another vault matches no order", () => {
    const amountInfo = { amount: "1" };
    expect(told({ amountInfo, source: { type: "VAULT_ACCOUNT", id: "8" } }).call.value).toBe(-1n);
    expect(told({ amountInfo, source: { type: "EXCHANGE_ACCOUNT", id: "7" } }).call.value).toBe(-1n);
  });
  test.each([
    ["data", { extraParameters: { contractCallData: "0xa" } }, "data"],
    ["data that is no text", { extraParameters: { contractCallData: 5 } }, "data"],
    ["a receiver", { destinationAddress: "vitalik.eth" }, "to"],
  ] as const)("with an unreadable %s matches no order", (_what, more, member) => {
    expect(told(more).call[member]).toBe("0xunreadable");
  });
  test("with a malformed hash has none", () => {
    expect(told({ txHash: "0x1234" }).hash).toBeNull();
  });
  test("is logged as one short line", () => {
    expect(told({ subStatus: `A\nB\u001b[31m${"x".repeat(500)}` }).detail).toMatch(
      /^COMPLETED: A B \[31mx{181}$/,
    );
  });
});
