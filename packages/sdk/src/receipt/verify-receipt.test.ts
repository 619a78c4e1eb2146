import { hashData } from "@countersign/wire";
import fc from "fast-check";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import type { Hex, Receipt } from "../types.ts";
import { verifyReceipt } from "./index.ts";
import { arbiter, call, makeReceipt, report, terms, trust, word } from "../../test/receipt.ts";

const problemsOf = async (receipt: unknown, trusted = trust): Promise<string> => {
  const found = await verifyReceipt(receipt as Receipt, trusted);
  return found.isValid ? "" : found.problems.join(" ");
};

/** Every place in a JSON value that holds no other, by its path. */
const leavesOf = (json: unknown, path: readonly string[] = []): (readonly string[])[] =>
  typeof json === "object" && json !== null
    ? Object.entries(json).flatMap(([name, value]) => leavesOf(value, [...path, name]))
    : [path];

function withChanged(receipt: Receipt, path: readonly string[], change: (was: unknown) => unknown): Receipt {
  const copy = structuredClone(receipt);
  const last = path.at(-1) ?? "";
  let at = copy as unknown as Record<string, unknown>;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[last] = change(at[last]);
  return copy;
}

/** What nobody signed: the chain has it, or there is the service's word. */
const uncovered = ["envelope", "registration", "execution", "settlement", "teeProof"];
const isCovered = (path: readonly string[]): boolean =>
  !uncovered.includes(path[0] ?? "") && !["service.id", "service.fingerprint"].includes(path.join("."));

describe("a receipt", () => {
  test.each(["APPROVED", "REJECTED", "UNDECIDED"] as const)("that says %s holds", async (decision) => {
    expect(await verifyReceipt(await makeReceipt({ decision }), trust)).toMatchObject({
      ...{ isValid: true, decision, signer: arbiter.address },
      ...{ issuedAt: new Date("2027-01-14T08:00:00Z"), validUntil: new Date("2027-01-15T08:00:00Z") },
      verdict: { to: call.to, value: call.value, dataHash: hashData(call.data) },
    });
  });

  test("of what the sender sealed holds", async () => {
    expect(await verifyReceipt(await makeReceipt({ isSealed: true }), trust)).toMatchObject({
      isValid: true,
    });
  });

  test("holds with addresses in any letters, and without its report", async () => {
    const receipt = await makeReceipt();
    const { proposal } = receipt;
    const shown = { ...proposal, to: `0x${"B0".repeat(20)}`, escrow: `0x${"EA".repeat(20)}` };
    expect(await problemsOf({ ...receipt, proposal: shown, report: null })).toBe("");
  });

  test.each([false, true])("with any one member changed does not hold (sealed: %s)", async (isSealed) => {
    const receipt = await makeReceipt({ isSealed });
    const paths = leavesOf(receipt).filter(isCovered);
    expect(paths.length).toBeGreaterThan(30);
    const anyChange = fc.oneof(
      fc.constant((was: unknown) => (typeof was === "number" ? was + 1 : `${String(was)}0`)),
      fc.constant((was: unknown) =>
        typeof was === "string" ? was.replace(/.$/, (last) => (last === "1" ? "2" : "1")) : 1,
      ),
      fc.constant((was: unknown) => (typeof was === "string" ? ` ${was}` : String(was))),
      fc.constant((was: unknown) => [was]),
      fc.jsonValue().map((value) => () => value),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), anyChange, async (path, change) => {
        const changed = withChanged(receipt, path, change);
        const [was, is] = [receipt, changed].map((one) => JSON.stringify(one).toLowerCase());
        // Without a report or its hash there is less to see, and nothing that is wrong.
        fc.pre(was !== is && !(path[0] === "reportHash" && changed.reportHash === null));
        expect(await problemsOf(changed), path.join(".")).not.toBe("");
      }),
      { numRuns: 150 },
    );
  });

  test("does not hold with a content beside the ciphertext, which no hash covers", async () => {
    const receipt = await makeReceipt({ isSealed: true });
    const proposal = { ...receipt.proposal, userPrompt: "Pay Mallory" };
    expect(await problemsOf({ ...receipt, proposal })).toMatch("Its proposal is not one");
  });

  test("does not hold with a second form of the same number", async () => {
    const receipt = await makeReceipt();
    for (const value of ["0x2386f26fc10000", "010000000000000000", " 10000000000000000"])
      expect(await problemsOf({ ...receipt, proposal: { ...receipt.proposal, value } })).not.toBe("");
  });

  test("that somebody else signed does not hold, whoever it says they are", async () => {
    const by = privateKeyToAccount(generatePrivateKey());
    const receipt = await makeReceipt({ by });
    expect(await problemsOf(receipt)).toMatch(/It was signed by 0x[0-9a-f]{40}, and not by/);
    const service = { id: 1, inbox: arbiter.address, fingerprint: "0x00" };
    const attestation = { ...receipt.attestation, signer: arbiter.address };
    expect(await problemsOf({ ...receipt, service, attestation })).toMatch("It was signed by");
  });

  test("of another installation does not hold", async () => {
    const receipt = await makeReceipt();
    for (const other of [{ chainId: 1 }, { inbox: terms.escrow }])
      expect(await problemsOf(receipt, { ...trust, ...other })).toMatch("for another installation");
  });

  const nibble = (hex: string, at: number): Hex => {
    const other = hex[at] === "7" ? "8" : "7";
    return `0x${hex.slice(2, at)}${other}${hex.slice(at + 1)}`;
  };
  const places = Array.from({ length: 40 }, (_, index) => index + 2);

  test("with a verdict that was signed for an Inbox one digit off does not hold", async () => {
    for (const at of places) {
      const signedFor = { chainId: trust.chainId, inbox: nibble(trust.inbox, at) };
      expect(await problemsOf(await makeReceipt({ signedFor }))).toMatch("for another installation");
    }
  });
  test("with a verdict that was signed for the next chain does not hold", async () => {
    const signedFor = { chainId: trust.chainId + 1, inbox: trust.inbox };
    expect(await problemsOf(await makeReceipt({ signedFor }))).toMatch("for another installation");
  });
  test("that claims an Inbox or a signer one digit off does not hold", async () => {
    const receipt = await makeReceipt();
    for (const at of places) {
      const domain = { ...receipt.domain, verifyingContract: nibble(trust.inbox, at) };
      expect(await problemsOf({ ...receipt, domain })).toMatch("for another installation");
      expect(await problemsOf(receipt, { ...trust, inbox: nibble(trust.inbox, at) })).toMatch(
        "for another installation",
      );
      expect(await problemsOf(receipt, { ...trust, signer: nibble(trust.signer, at) })).toMatch(
        "It was signed by",
      );
    }
  });

  const bent: [string, (approved: Receipt, rejected: Receipt) => object, RegExp][] = [
    [
      "another amount",
      ({ proposal }) => ({ proposal: { ...proposal, value: "1" } }),
      /not that of its proposal/,
    ],
    [
      "other words",
      ({ proposal }) => ({ proposal: { ...proposal, userPrompt: "All" } }),
      /about other words/,
    ],
    ["another's verdict", (_, { attestation }) => ({ attestation }), /says something else/],
    ["another decision", () => ({ decision: "REJECTED" }), /says something else/],
    ["another report", () => ({ report: { ...report, reason: "Fine." } }), /Its report is not the one/],
    ["no verdict", () => ({ attestation: null }), /nobody has judged this/],
    ["half a verdict", () => ({ attestation: {} }), /Its verdict is not one/],
    ["another request hash", () => ({ requestHash: word("00") }), /about another proposal/],
  ];
  test.each(bent)("with %s says what is wrong", async (_, bend, problem) => {
    const [approved, rejected] = [await makeReceipt(), await makeReceipt({ decision: "REJECTED" })];
    expect(await problemsOf({ ...approved, ...bend(approved, rejected) })).toMatch(problem);
  });
});

test("anything at all is answered, and is no receipt", async () => {
  await fc.assert(
    fc.asyncProperty(fc.anything({ withBigInt: true, withNullPrototype: true }), async (anything) => {
      expect((await verifyReceipt(anything as Receipt, trust)).isValid).toBe(false);
    }),
    { numRuns: 500 },
  );
  const receipt = await makeReceipt();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(receipt)), fc.anything(), async (name, value) => {
      expect(typeof (await verifyReceipt({ ...receipt, [name]: value }, trust)).isValid).toBe("boolean");
    }),
    { numRuns: 100 },
  );
});
