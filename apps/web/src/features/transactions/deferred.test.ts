import { readReport, type NetEffect, type ReadReport } from "@countersign/sdk/report";
import type { TransactionView } from "@countersign/sdk";
import { describe, expect, test } from "vitest";
import { deferredOf } from "./deferred.ts";

const noPayload = {
  ...{ typedData: null, calls: null, safeTransaction: null, message: null },
  ...{ authorizationList: null, userOperation: null },
};
const safe = {
  ...noPayload,
  safeTransaction: { nonce: "7" },
} as unknown as TransactionView;
const permit = {
  ...noPayload,
  typedData: { domain: {}, types: {}, primaryType: "Permit", message: { deadline: "1800000000" } },
} as unknown as TransactionView;

const usdc = { kind: "token", symbol: "USDC", address: "0x01", id: null, why: null };
const nothing: NetEffect = { leaves: [], arrives: [], others: [], authority: [], control: [] };
const effect = { act: "transfer", knowledge: "bound" };
const withNet = (net: Partial<NetEffect>, over: Partial<ReadReport> = {}): ReadReport => ({
  ...(readReport({ decision: "PASS", results: {} }) ?? expect.unreachable("unreadable")),
  ...{ effects: [effect as ReadReport["effects"][number]], limit: null, calls: [] },
  ...{ net: { ...nothing, ...net } },
  ...over,
});
const held = { spender: "0x02", until: null, signed: true };
const worst = (view: TransactionView, report: ReadReport | undefined) => deferredOf(view, report)?.worst;

describe("the worst case", () => {
  test("is the most that leaves, and all that may be taken", () => {
    const leaves = [{ ...usdc, least: "5", most: "5", usd: null }];
    expect(worst(permit, withNet({ leaves }))).toBe("5 USDC can be taken.");
    const authority = [{ ...held, asset: usdc, most: "100" }];
    expect(worst(permit, withNet({ leaves, authority }))).toBe("5 USDC and 100 USDC can be taken.");
    const unlimited = [{ ...held, asset: usdc, most: "unlimited" }];
    expect(worst(permit, withNet({ authority: unlimited }))).toBe("Any amount of USDC can be taken.");
    expect(worst(permit, withNet({}))).toMatch(/^Nothing leaves/);
  });

  test.each([
    ["there is no report", undefined, "Not known. Assume that everything in the Safe can be taken."],
    ["control changes", withNet({ control: [{ kind: "add_owner", party: "0x02" }] }), everything()],
    [
      "another party may act as the account",
      withNet({ authority: [{ ...held, asset: null, most: null }] }),
      everything(),
    ],
    ["part of it was not read", withNet({}, { limit: "too many calls" }), everything()],
    ["nothing was read", withNet({}, { effects: [] }), everything()],
  ])("is everything if %s", (_, report, sentence) => {
    expect(worst(safe, report)).toBe(sentence);
  });
});

function everything(): string {
  return "Everything in the Safe can be taken.";
}

test("a confirmation is usable until the Safe has used its nonce, a signature until it expires", () => {
  expect(deferredOf(safe, undefined)?.until).toMatch("nonce 7");
  expect(deferredOf(permit, undefined)?.until).toBe("Fri, 15 Jan 2027 08:00:00 GMT");
});

describe("a text", () => {
  const siwe =
    "example.com wants you to sign in with your Ethereum account:\n0x00\n\n\nURI: https://example.com";
  const of = (message: string) => ({ ...noPayload, message }) as unknown as TransactionView;

  test("of a sign-in is usable until it ends", () => {
    const ending = "2026-09-23T00:00:00Z";
    const found = deferredOf(of(`${siwe}\nExpiration Time: ${ending}`), withNet({}));
    expect(found).toMatchObject({ until: ending, worst: "Someone else is signed in to example.com as you." });
    expect(deferredOf(of(siwe), withNet({}))?.until).toMatch(/^No expiry/);
  });

  test("could move money at worst, unless all of it was read", () => {
    expect(worst(of("I agree"), withNet({}))).toMatch(/^Nothing leaves your wallet/);
    for (const report of [undefined, withNet({}, { effects: [] })])
      expect(worst(of("I agree"), report)).toMatch(
        /^Not known\. Someone who accepts this text could move money/,
      );
    expect(deferredOf(of("Expiration Time: 2026"), undefined)?.until).toMatch(/^No expiry/);
  });
});

describe("an authorization", () => {
  const to = (address: string) =>
    ({
      ...noPayload,
      authorizationList: [{ chainId: 1, address, nonce: "7" }],
    }) as unknown as TransactionView;
  const delegation = to(`0x${"63".repeat(20)}`);
  const revocation = to(`0x${"00".repeat(20)}`);

  test("is usable until the account has another nonce", () => {
    expect(deferredOf(delegation, undefined)?.until).toMatch("nonce is higher than 7");
  });

  test("of a delegate could take everything, whatever the report says", () => {
    for (const report of [undefined, withNet({})])
      expect(worst(delegation, report)).toBe("Everything in your wallet can be taken.");
  });

  test("that removes the delegation takes nothing", () => {
    expect(worst(revocation, withNet({}))).toMatch(/^Nothing leaves/);
  });
});

describe("a user operation", () => {
  const operation = {
    ...noPayload,
    userOperation: {
      ...{ chainId: 1, nonce: "7", preVerificationGas: "50000", verificationGasLimit: "120000" },
      ...{ callGasLimit: "90000", maxFeePerGas: "2000000000" },
      ...{ paymasterVerificationGasLimit: "30000", paymasterPostOpGasLimit: "10000" },
    },
  } as unknown as TransactionView;

  test("is usable until the smart account has used its nonce", () => {
    expect(deferredOf(operation, undefined)?.until).toMatch("used its nonce 7");
  });

  test("names the largest fee in addition to what could be taken", () => {
    expect(worst(operation, undefined)).toBe(
      "Not known. Assume that everything in the smart account can be taken. Network fees can be 0.0006 ETH more.",
    );
    expect(worst(operation, withNet({}))).toMatch(/^Nothing leaves, as far as we can read it\. Network fees/);
  });
});

test("a transaction and a batch are not deferred", () => {
  expect(deferredOf(noPayload as unknown as TransactionView, undefined)).toBeUndefined();
});
