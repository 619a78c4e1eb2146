// Receipts whose verdict was signed, and is about something else in one detail.
import { hashData, hashIntent, hashReport } from "@countersign/wire";
import { describe, expect, test } from "vitest";
import type { Receipt } from "../types.ts";
import { verifyReceipt } from "./index.ts";
import { call, makeReceipt, report, terms, trust, word } from "../../test/receipt.ts";

const problemsOf = async (receipt: object): Promise<readonly string[]> => {
  const found = await verifyReceipt(receipt as Receipt, trust);
  return found.isValid ? [] : found.problems;
};

const anotherCall = "Its verdict belongs to another call.";

describe("a receipt with a verdict about", () => {
  test.each([
    ["a recipient one digit off", { to: `0x${"b0".repeat(19)}b1` }, anotherCall],
    ["one wei more", { value: call.value + 1n }, anotherCall],
    ["data one digit off", { dataHash: hashData("0xabcdee") }, anotherCall],
    ["the next chain", { chainId: terms.chainId + 1 }, anotherCall],
    ["an account one digit off", { escrow: `0x${"ea".repeat(19)}eb` }, anotherCall],
    [
      "a request one letter off",
      { intentHash: hashIntent("Pay Rob") },
      "Its verdict belongs to another request.",
    ],
    [
      "one second more",
      { validUntil: terms.deadline + 1 },
      "Its verdict has another expiry than its proposal.",
    ],
    [
      "another report",
      { reportHash: hashReport({ ...report, reason: "" }) },
      "Its report does not match the verdict's report hash.",
    ],
    [
      "another proposal",
      { requestHash: word("5b") },
      "Its verdict belongs to another proposal: the request hash differs.",
    ],
  ] as const)("%s has that problem and no other", async (_, signedOver, problem) => {
    expect(await problemsOf(await makeReceipt({ signedOver }))).toEqual([problem]);
  });

  test.each([
    ["the next chain", { chainId: terms.chainId + 1 }],
    ["an account one digit off", { escrow: `0x${"ea".repeat(19)}eb` }],
  ] as const)("%s has that problem also if its content is sealed", async (_, signedOver) => {
    expect(await problemsOf(await makeReceipt({ signedOver, isSealed: true }))).toEqual([anotherCall]);
  });
});

describe("a receipt", () => {
  test.each([{ reportHash: null }, { report: null }, { service: null }])("holds with %o", async (over) => {
    expect(await problemsOf({ ...(await makeReceipt()), ...over })).toEqual([]);
  });

  test("with a signature that no key could have made says so", async () => {
    const receipt = await makeReceipt();
    const attestation = { ...receipt.attestation, signature: `0x${"00".repeat(64)}1b` };
    expect(await problemsOf({ ...receipt, attestation })).toEqual(["Its signature is malformed."]);
  });

  test("with a request hash that is no text says which members differ", async () => {
    expect(await problemsOf({ ...(await makeReceipt()), requestHash: 5 })).toEqual([
      "Its request hash does not match its proposal.",
      "Its verdict belongs to another proposal: the request hash differs.",
    ]);
  });

  test("that names another signer than its own says so", async () => {
    const receipt = await makeReceipt();
    const service = { id: 1, inbox: terms.escrow, fingerprint: "0x00" };
    const attestation = { ...receipt.attestation, signer: terms.escrow };
    for (const over of [{ service }, { attestation }])
      expect(await problemsOf({ ...receipt, ...over })).toEqual([
        "It names another signer than the one that signed.",
      ]);
  });
});
