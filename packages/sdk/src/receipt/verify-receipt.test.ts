import {
  hashData,
  hashPayload,
  hashTypedData,
  parseCalls,
  parsePayload,
  parseTypedData,
  shapes,
  type Shape,
} from "@countersign/wire";
import fc from "fast-check";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import vectors from "../../../wire/vectors.json" with { type: "json" };
import type { Hex, Receipt } from "../types.ts";
import { verifyReceipt } from "./index.ts";
import {
  arbiter,
  call,
  makeReceipt,
  makeShapedReceipt,
  report,
  terms,
  trust,
  word,
} from "../../test/receipt.ts";

const letter = parseTypedData({
  domain: { name: "Letters", version: "1", chainId: 1, verifyingContract: terms.escrow },
  types: { Letter: [{ name: "lines", type: "Line[]" }], Line: [{ name: "number", type: "uint8" }] },
  ...{ primaryType: "Letter", message: { lines: [{ number: 1 }, { number: 2 }] } },
});
const shaped = (isSealed = false) =>
  makeShapedReceipt({
    isSealed,
    over: { ...terms, userPrompt: "Sign it", payload: { shape: "typedData", typedData: letter } },
  });

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

/** Members that the signature does not cover: they come from the chain or the service. */
const uncovered = ["envelope", "registration", "execution", "settlement", "teeProof"];
const isCovered = (path: readonly string[]): boolean =>
  !uncovered.includes(path[0] ?? "") && !["service.id", "service.fingerprint"].includes(path.join("."));

describe("verifyReceipt", () => {
  test.each(["APPROVED", "REJECTED", "UNDECIDED"] as const)(
    "accepts a receipt with decision %s",
    async (decision) => {
      expect(await verifyReceipt(await makeReceipt({ decision }), trust)).toMatchObject({
        ...{ isValid: true, decision, signer: arbiter.address },
        ...{ issuedAt: new Date("2027-01-14T08:00:00Z"), validUntil: new Date("2027-01-15T08:00:00Z") },
        verdict: { to: call.to, value: call.value, dataHash: hashData(call.data) },
      });
    },
  );

  test("accepts a receipt about data to sign, and returns the hash that is signed", async () => {
    for (const isSealed of [false, true])
      expect(await verifyReceipt(await shaped(isSealed), trust)).toMatchObject({
        ...{ isValid: true, verdict: { shape: "typedData", signingHash: hashTypedData(letter) } },
      });
  });

  test("accepts a receipt about a batch, and rejects it if anything in the batch differs", async () => {
    const calls = parseCalls({
      ...{ chainId: 1, from: terms.escrow, atomicRequired: true },
      calls: [{ to: terms.escrow, value: "5" }, { to: terms.escrow }],
    });
    const payload = { shape: "calls", calls } as const;
    const over = { ...terms, userPrompt: "Send it", payload };
    expect(await verifyReceipt(await makeShapedReceipt({ over }), trust)).toMatchObject({
      ...{ isValid: true, verdict: { shape: "calls", signingHash: hashPayload(payload) } },
    });
    const { proposal, ...receipt } = await makeShapedReceipt({ over });
    const [first, second] = calls.calls;
    for (const [change, problem] of [
      [{ ...calls, atomicRequired: false }, "request hash"],
      [{ ...calls, calls: [second, first] }, "request hash"],
      [{ ...calls, calls: [first] }, "request hash"],
      [{ ...calls, chainId: "1" }, "Not a receipt"],
      [{ ...calls, capabilities: {} }, "Not a receipt"],
    ] as const)
      expect(await problemsOf({ ...receipt, proposal: { ...proposal, calls: change as never } })).toMatch(
        problem,
      );
    expect(await problemsOf({ ...receipt, proposal: { ...proposal, typedData: letter as never } })).toMatch(
      "Not a receipt",
    );
    const asData = await makeShapedReceipt({ over, signedOver: { shape: "typedData" } });
    expect(await problemsOf(asData)).toMatch("Its verdict belongs to another call.");
  });

  test.each(vectors.shapedProposals)(
    "accepts a receipt about $name, and rejects it if anything in it differs",
    async ({ fields, signingHash }) => {
      const shape = fields.shape as Shape;
      const payload = parsePayload(shape, (fields as Partial<Record<Shape, unknown>>)[shape]);
      const over = { ...terms, userPrompt: "Sign it", payload };
      const receipt = await makeShapedReceipt({ over });
      expect(await verifyReceipt(receipt, trust)).toMatchObject({
        ...{ isValid: true, verdict: { shape, signingHash } },
      });
      const places = leavesOf(receipt.proposal[shape], ["proposal", shape]);
      for (const path of places)
        expect(
          await problemsOf(withChanged(receipt, path, (was) => `${JSON.stringify(was)}00`)),
          path.join("."),
        ).not.toBe("");
    },
  );

  test("accepts a receipt from before version 2, which names no shape", async () => {
    const { proposal, ...receipt } = await makeReceipt();
    const newer = new Set(["shape", "signingHash", ...shapes]);
    const older = Object.fromEntries(Object.entries(proposal).filter(([name]) => !newer.has(name)));
    expect(Object.keys(proposal).length - Object.keys(older).length).toBe(newer.size);
    expect(await problemsOf({ ...receipt, proposal: older })).toBe("");
  });

  test("rejects data to sign in another form, and a hash next to it that is not its own", async () => {
    const { proposal, ...receipt } = await shaped();
    const another = "Its verdict belongs to another call.";
    for (const [over, problem] of [
      [{ typedData: { ...letter, domain: { ...letter.domain, chainId: "1" } } }, "Not a receipt"],
      [{ typedData: { ...letter, types: { ...letter.types, EIP712Domain: [] } } }, "Not a receipt"],
      [{ signingHash: word("77") }, another],
      [{ shape: "tx" }, another],
      [{ to: terms.escrow }, "Its proposal is malformed"],
    ] as const)
      expect(await problemsOf({ ...receipt, proposal: { ...proposal, ...over } })).toMatch(problem);
  });

  test("accepts a receipt of an encrypted proposal", async () => {
    expect(await verifyReceipt(await makeReceipt({ isSealed: true }), trust)).toMatchObject({
      isValid: true,
    });
  });

  test("accepts addresses in any letter case, and a missing report", async () => {
    const receipt = await makeReceipt();
    const { proposal } = receipt;
    const shown = { ...proposal, to: `0x${"B0".repeat(20)}`, escrow: `0x${"EA".repeat(20)}` };
    expect(await problemsOf({ ...receipt, proposal: shown, report: null })).toBe("");
  });

  test.each([
    ["of a transaction", () => makeReceipt()],
    ["that is encrypted", () => makeReceipt({ isSealed: true })],
    ["about data to sign", () => shaped()],
    ["about encrypted data to sign", () => shaped(true)],
  ])("rejects a receipt %s with any member changed", async (_, make) => {
    const receipt = await make();
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

  test("rejects plaintext members next to a ciphertext", async () => {
    const receipt = await makeReceipt({ isSealed: true });
    const proposal = { ...receipt.proposal, userPrompt: "Pay Mallory" };
    expect(await problemsOf({ ...receipt, proposal })).toMatch("Its proposal is malformed");
  });

  test("rejects a second form of the same number", async () => {
    const receipt = await makeReceipt();
    for (const value of ["0x2386f26fc10000", "010000000000000000", " 10000000000000000"])
      expect(await problemsOf({ ...receipt, proposal: { ...receipt.proposal, value } })).not.toBe("");
  });

  test("rejects a receipt signed by an unknown key", async () => {
    const by = privateKeyToAccount(generatePrivateKey());
    const receipt = await makeReceipt({ by });
    expect(await problemsOf(receipt)).toMatch(/It was signed by 0x[0-9a-f]{40}, not by/);
    const service = { id: 1, inbox: arbiter.address, fingerprint: "0x00" };
    const attestation = { ...receipt.attestation, signer: arbiter.address };
    expect(await problemsOf({ ...receipt, service, attestation })).toMatch("It was signed by");
  });

  test("rejects a receipt of another installation", async () => {
    const receipt = await makeReceipt();
    for (const other of [{ chainId: 1 }, { inbox: terms.escrow }])
      expect(await problemsOf(receipt, { ...trust, ...other })).toMatch("for another installation");
  });

  const nibble = (hex: string, at: number): Hex => {
    const other = hex[at] === "7" ? "8" : "7";
    return `0x${hex.slice(2, at)}${other}${hex.slice(at + 1)}`;
  };
  const places = Array.from({ length: 40 }, (_, index) => index + 2);

  test("rejects a verdict signed for an Inbox that differs in one digit", async () => {
    for (const at of places) {
      const signedFor = { chainId: trust.chainId, inbox: nibble(trust.inbox, at) };
      expect(await problemsOf(await makeReceipt({ signedFor }))).toMatch("for another installation");
    }
  });
  test("rejects a verdict signed for another chain", async () => {
    const signedFor = { chainId: trust.chainId + 1, inbox: trust.inbox };
    expect(await problemsOf(await makeReceipt({ signedFor }))).toMatch("for another installation");
  });
  test("rejects a claimed Inbox or signer that differs in one digit", async () => {
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
      /does not match its proposal/,
    ],
    [
      "other words",
      ({ proposal }) => ({ proposal: { ...proposal, userPrompt: "All" } }),
      /belongs to another request/,
    ],
    ["another's verdict", (_, { attestation }) => ({ attestation }), /have different decisions/],
    ["another decision", () => ({ decision: "REJECTED" }), /have different decisions/],
    ["another report", () => ({ report: { ...report, reason: "Fine." } }), /Its report does not match/],
    ["no verdict", () => ({ attestation: null }), /has no signed verdict/],
    ["half a verdict", () => ({ attestation: {} }), /Its verdict is malformed/],
    ["another request hash", () => ({ requestHash: word("00") }), /belongs to another proposal/],
  ];
  test.each(bent)("describes the problem of a receipt with %s", async (_, bend, problem) => {
    const [approved, rejected] = [await makeReceipt(), await makeReceipt({ decision: "REJECTED" })];
    expect(await problemsOf({ ...approved, ...bend(approved, rejected) })).toMatch(problem);
  });
});

test("rejects any other value without throwing", async () => {
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
