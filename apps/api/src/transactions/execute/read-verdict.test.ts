import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import type { Attestation, Decision } from "@countersign/wire";
import type { CheckAttestation } from "../decide/check-attestation.ts";
import { anAttestation, aReport } from "../../../test/transactions/attestation.ts";
import { aTransaction } from "../../../test/transactions/in-memory.ts";
import type { Approval, Transaction } from "../transaction.ts";
import { makeReadVerdict } from "./read-verdict.ts";

const wallet = privateKeyToAccount(`0x${"7a".repeat(32)}`);
const external = { requireUser: false, adminMayApprove: false, external: true };
const ours = aTransaction({ policy: { ...external, external: false } });
const theirs = aTransaction({ policy: external });
const deadline = ours.deadline.getTime() / 1000;
const validUntil = deadline - 60;

type Given = {
  readonly attestation?: unknown;
  readonly check?: CheckAttestation;
  readonly report?: unknown;
  readonly kind?: Approval["kind"];
};

/** Reads the verdict on a transaction that has one approval. The check accepts the stored attestation by default. */
async function read(transaction: Transaction, { attestation, check, report, kind = "orion" }: Given = {}) {
  const asked: unknown[] = [];
  const readVerdict = makeReadVerdict({
    store: {
      listApprovals: async (id) =>
        id === transaction.id
          ? [{ kind: "user", attestation: "not this" } as Approval, { kind, attestation } as Approval]
          : [],
      readReport: async (id) => (id === transaction.id ? report : undefined),
    },
    checkAttestation: async (of, sent) => {
      asked.push([of.id, sent]);
      return (
        check?.(of, sent) ?? Promise.resolve({ attestation: sent.attestation as Attestation, service: 1 })
      );
    },
  });
  return { authority: await readVerdict(transaction), asked };
}

const signed = (decision: Decision = "APPROVED", of: Transaction = ours) =>
  anAttestation(of, wallet, { decision, validUntil });
const why = (part: string) => ({ authority: { why: [expect.stringContaining(part) as string] } });

describe("for transactions that we send", () => {
  test("an APPROVED verdict with a complete report authorizes it until the verdict ends", async () => {
    const attestation = await signed();
    expect(await read(ours, { attestation, report: aReport() })).toEqual({
      authority: { validUntil },
      asked: [["transaction-1", { decision: "APPROVED", attestation, report: aReport() }]],
    });
  });
  test.each([
    ["no report", undefined] as const,
    ["an incomplete report", aReport({ decision: "FAIL" })] as const,
  ])("%s authorizes nothing", async (_, report) => {
    expect(await read(ours, { attestation: await signed(), report })).toMatchObject(
      why("its report does not"),
    );
  });
  test.each(["UNDECIDED", "REJECTED"] as const)(
    "%s authorizes nothing, whatever the owner says",
    async (decision) => {
      const given = { attestation: await signed(decision), report: aReport() };
      for (const user of [null, "APPROVED"] as const)
        expect(await read({ ...ours, user }, given)).toMatchObject(why("not APPROVED"));
    },
  );
  test.each([undefined, null])(
    "a verdict with the attestation %s authorizes nothing",
    async (attestation) => {
      expect(await read({ ...ours, user: "APPROVED" }, { attestation, report: aReport() })).toMatchObject(
        why("no signed verdict"),
      );
    },
  );
  test("an attestation that is not the verification service's is ignored", async () => {
    const given = { attestation: await signed(), report: aReport(), kind: "key" } as const;
    expect(await read(ours, given)).toEqual({ ...why("no signed verdict"), asked: [] });
  });
});

describe("for transactions that the owner sends", () => {
  const approved: Transaction = { ...theirs, user: "APPROVED" };
  test("an APPROVED verdict is enough, whatever the report says", async () => {
    const given = { attestation: await signed(), report: aReport({ decision: "FAIL" }) };
    expect(await read(theirs, given)).toMatchObject({ authority: { validUntil } });
    expect(await read(approved, given)).toMatchObject({ authority: { validUntil } });
  });
  test("the owner's approval counts until the deadline if there is no signed verdict", async () => {
    expect(await read(approved)).toEqual({ authority: { validUntil: deadline }, asked: [] });
    expect(await read(theirs)).toMatchObject(why("no signed verdict"));
    expect(await read({ ...theirs, user: "REJECTED" })).toMatchObject(why("no signed verdict"));
  });
  test("the owner's approval counts until the deadline if the verdict is UNDECIDED", async () => {
    const attestation = await signed("UNDECIDED");
    expect(await read(approved, { attestation })).toMatchObject({ authority: { validUntil: deadline } });
    expect(await read(theirs, { attestation })).toMatchObject(why("not APPROVED"));
  });
  test("the owner's approval does not count against a REJECTED verdict", async () => {
    expect(await read(approved, { attestation: await signed("REJECTED") })).toMatchObject(
      why("not APPROVED"),
    );
  });
  test("the owner's approval does not replace an invalid attestation", async () => {
    const check = () => Promise.reject(new Error("changed"));
    const attestation = await signed("UNDECIDED");
    expect(await read(approved, { attestation, check })).toMatchObject(why("is not valid: changed"));
  });
});

describe("the stored attestation", () => {
  test("authorizes nothing if it cannot be read", async () => {
    const attestation = { ...(await signed()), signature: "0x" };
    expect(await read(ours, { attestation, report: aReport() })).toEqual({
      ...why("cannot be read"),
      asked: [],
    });
  });
  test("authorizes nothing if no registered service signed it", async () => {
    const attestation = await signed();
    const check = () => Promise.resolve({ attestation, service: null });
    expect(await read(ours, { attestation, check, report: aReport() })).toMatchObject(
      why("no verification service"),
    );
  });
  test.each([
    ["an error", new Error("validUntil has passed"), "is not valid: validUntil has passed"],
    ["something that is no error", "text", "is not valid: unreadable"],
  ])("authorizes nothing if its check throws %s", async (_, thrown, expected) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- what a check must survive
    const check = () => Promise.reject(thrown);
    expect(await read(ours, { attestation: await signed(), check, report: aReport() })).toMatchObject(
      why(expected),
    );
  });
});
