import type { TransactionView } from "@countersign/sdk";
import { keccak256 } from "viem/utils";
import { describe, expect, test } from "vitest";
import { sendExactly, wasRefused, type Provider } from "./execute.ts";
import { checkReceipt, type Checked } from "./verification.ts";
import { whyNotToSend } from "./why-not-to-send.ts";

const hex = (byte: string, bytes: number) => `0x${byte.repeat(bytes)}` as const;
const tx = { to: hex("aB", 20), value: "5", data: "0x1234" } as const;
const transaction = {
  requestHash: hex("0A", 32),
  escrowAddress: hex("Ee", 20),
  chainId: 1,
  tx,
} as unknown as TransactionView;
const checked = (over: object = {}, decision = "APPROVED"): Checked =>
  ({
    ...{ isValid: true, decision, signer: hex("01", 20), issuedAt: new Date(0), validUntil: new Date(0) },
    verdict: {
      ...{ requestHash: hex("0a", 32), escrow: hex("ee", 20), chainId: 1, to: hex("ab", 20), value: 5n },
      ...{ dataHash: keccak256(tx.data), decision, ...over },
    },
  }) as never;

describe("whyNotToSend", () => {
  test("allows the signed transaction, ignoring letter case", () => {
    expect(whyNotToSend(transaction, checked())).toBeUndefined();
  });

  test.each([
    ["another recipient", { to: hex("00", 20) }],
    ["another amount", { value: 6n }],
    ["other calldata", { dataHash: keccak256("0x1235") }],
    ["another chain", { chainId: 2 }],
    ["another wallet", { escrow: hex("00", 20) }],
    ["another proposal", { requestHash: hex("00", 32) }],
  ])("refuses %s", (_, over) => {
    expect(whyNotToSend(transaction, checked(over))).toMatch(/isn’t the one that was checked/);
  });

  test("refuses an encrypted, unchecked, unsigned, invalid or rejected verdict", () => {
    expect(whyNotToSend({ ...transaction, tx: null }, checked())).toMatch(/encrypted/);
    expect(whyNotToSend(transaction, undefined)).toMatch(/Checking the signed verdict/);
    expect(whyNotToSend(transaction, { isValid: undefined, why: "No." })).toBe("No.");
    expect(whyNotToSend(transaction, { isValid: false, problems: ["It is false."] })).toMatch(/It is false/);
    expect(whyNotToSend(transaction, checked({}, "REJECTED"))).toMatch(/says Differs/);
  });
});

test("does not report an unsigned receipt, or one of an unlisted service, as checked", async () => {
  const receipt = (attestation: unknown) => ({ attestation, service: { id: 1 } }) as never;
  expect(await checkReceipt(receipt(null), [])).toMatchObject({ isValid: undefined });
  expect(await checkReceipt(receipt({}), [{ id: 2 }] as never)).toMatchObject({ isValid: undefined });
});

describe("sending", () => {
  const wallet = (chains: string[], hash: unknown = hex("cd", 32)) => {
    const asked: unknown[] = [];
    const provider: Provider = {
      request: async (ask) => {
        asked.push(ask);
        return ask.method === "eth_chainId"
          ? (chains.shift() ?? "0x1")
          : ask.method === "eth_sendTransaction"
            ? hash
            : null;
      },
    };
    return { asked, provider };
  };
  const call = { from: hex("ee", 20), chainId: 1, tx };

  test("requests exactly the approved call after switching the chain", async () => {
    const { asked, provider } = wallet(["0x2", "0x1"]);
    const notes: string[] = [];
    expect(await sendExactly(provider, call, () => notes.push("asked"))).toBe(hex("cd", 32));
    expect(asked.at(-1)).toEqual({
      method: "eth_sendTransaction",
      params: [{ from: hex("ee", 20), to: tx.to, value: "0x5", data: "0x1234", chainId: "0x1" }],
    });
    expect(notes).toEqual(["asked"]);
  });

  test("sends nothing on another chain, and rejects an answer that is not a hash", async () => {
    const other = wallet(["0x2", "0x2"]);
    await expect(sendExactly(other.provider, call, () => undefined)).rejects.toThrow("another network");
    expect(JSON.stringify(other.asked)).not.toContain("eth_sendTransaction");
    await expect(sendExactly(wallet([], "ok").provider, call, () => undefined)).rejects.toThrow(
      "didn’t return",
    );
  });

  test("counts as refused only with an EIP-1193 refusal code", () => {
    expect([{ code: 4001 }, { code: -32_603 }, new Error("x"), null].map(wasRefused)).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });
});
