import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import {
  hashData,
  hashIntent,
  hashReport,
  type ShapedVerdict,
  type Verdict,
  type WireDomain,
} from "@countersign/wire";
import { makeCheckAttestation, makeRequireAttestation, type Service } from "./check-attestation.ts";
import { transactionErrors } from "../errors.ts";
import {
  anAttestation,
  aReport,
  aShapedAttestation,
  domain,
} from "../../../test/transactions/attestation.ts";
import { aTransaction, now } from "../../../test/transactions/in-memory.ts";
import type { Hex, Transaction } from "../transaction.ts";

const wallet = privateKeyToAccount(`0x${"7a".repeat(32)}`);
const other = privateKeyToAccount(`0x${"7b".repeat(32)}`);
const seconds = now.getTime() / 1000;

const aService = (id: number, { address }: { readonly address: Hex }, active = true): Service => ({
  ...{ id, inbox: address.toLowerCase() as Hex, active, fingerprint: "ab".repeat(20) },
});

/** Flips the lowest bit of the last byte. */
const nextTo = (hex: Hex): Hex =>
  `${hex.slice(0, -1)}${(Number.parseInt(hex.slice(-1), 16) ^ 1).toString(16)}` as Hex;

const makeCheck = (services: readonly Service[], ours: WireDomain = domain) =>
  makeCheckAttestation({
    domain: ours,
    clock: { now: () => now },
    findService: async (id) => services.find((service) => service.id === id),
    listServices: async () => services,
  });

const check = makeCheck([aService(1, wallet)]);
const transaction = aTransaction();

type Changes = Partial<Verdict> & { readonly domain?: WireDomain };

/** Signs the transaction's values with the changes, and checks it as the changed decision. */
async function checkSigned(changes: Changes, of: Transaction = transaction) {
  const attestation = await anAttestation(of, wallet, changes);
  return check(of, { decision: changes.decision ?? "APPROVED", attestation, report: undefined });
}

const wrong = (what: string) =>
  expect.objectContaining({
    code: transactionErrors.wrongAttestation.code,
    message: expect.stringMatching(new RegExp(`^attestation: ${what}`)) as string,
  }) as Error;

describe("the values that a verdict repeats of the transaction", () => {
  test("returns the attestation and the service that signed it", async () => {
    const attestation = await anAttestation(transaction, wallet);
    expect(await check(transaction, { decision: "APPROVED", attestation, report: aReport() })).toEqual({
      attestation,
      service: 1,
    });
  });

  const different: Changes[] = [
    { requestHash: nextTo(transaction.requestHash) },
    { escrow: nextTo(transaction.escrow) },
    { chainId: transaction.chainId + 1 },
    { to: nextTo(transaction.tx?.to ?? "0x") },
    { value: (transaction.tx?.value ?? 0n) + 1n },
    { dataHash: nextTo(hashData(transaction.tx?.data ?? "0x")) },
    { intentHash: nextTo(hashIntent(transaction.description)) },
  ];
  const named = different.map((changes) => [Object.keys(changes)[0] ?? "", changes] as const);

  test.each(named)("rejects another %s in an APPROVED or UNDECIDED verdict", async (member, changes) => {
    await expect(checkSigned(changes)).rejects.toThrow(wrong(`${member} differs from`));
    await expect(checkSigned({ ...changes, decision: "UNDECIDED" })).rejects.toThrow(
      wrong(`${member} differs from`),
    );
  });

  test.each(named)(
    "a REJECTED verdict may have another %s, unless it is the request hash",
    async (...given) => {
      const [member, changes] = given;
      const checked = checkSigned({ ...changes, decision: "REJECTED" });
      if (member === "requestHash") await expect(checked).rejects.toThrow(wrong("requestHash differs"));
      else expect(await checked).toMatchObject({ service: 1 });
    },
  );

  test.each([
    ["sealed by its sender", aTransaction({ form: "sealed" })],
    ["without known bytes", aTransaction({ expected: null })],
  ] as const)(
    "accepts the verdict's word about the call of a transaction %s, and nothing more",
    async (_, of) => {
      const { requestHash, escrow, chainId } = of;
      const call = {
        to: nextTo(of.escrow),
        value: 3n,
        dataHash: nextTo(requestHash),
        intentHash: requestHash,
      };
      expect(await checkSigned(call, of)).toMatchObject({ attestation: { verdict: { value: "3" } } });
      for (const changes of [
        { requestHash: nextTo(requestHash) },
        { escrow: nextTo(escrow) },
        { chainId: chainId + 1 },
      ])
        await expect(checkSigned(changes, of)).rejects.toThrow(wrong(Object.keys(changes)[0] ?? ""));
    },
  );

  describe("about data to sign", () => {
    const signingHash: Hex = `0x${"5c".repeat(32)}`;
    const shaped = aTransaction({ tx: null, expected: null, shape: "typedData", signingHash });
    async function checkShaped(changes: Partial<ShapedVerdict>, of: Transaction = shaped) {
      const attestation = await aShapedAttestation(of, wallet, changes);
      return check(of, { decision: "APPROVED", attestation, report: undefined });
    }

    test("accepts exactly the stored shape, digest and request", async () => {
      expect(await checkShaped({})).toMatchObject({ attestation: { verdict: { signingHash } } });
      for (const changes of [
        { signingHash: nextTo(signingHash) },
        { intentHash: nextTo(hashIntent(shaped.description)) },
        { requestHash: nextTo(shaped.requestHash) },
        { escrow: nextTo(shaped.escrow) },
        { chainId: shaped.chainId + 1 },
      ])
        await expect(checkShaped(changes)).rejects.toThrow(
          wrong(`${Object.keys(changes)[0] ?? ""} differs from`),
        );
    });

    test("rejects a verdict about a call, although it names the same request", async () => {
      const call = { to: shaped.escrow, value: 0n, dataHash: shaped.requestHash };
      const attestation = await anAttestation({ ...shaped, tx: transaction.tx }, wallet, call);
      await expect(check(shaped, { decision: "APPROVED", attestation, report: undefined })).rejects.toThrow(
        wrong("shape differs from"),
      );
    });

    test("compares the request unless its sender encrypted it, and the digest always", async () => {
      const sealed = { ...shaped, form: "sealed" } as const;
      expect(await checkShaped({ intentHash: nextTo(shaped.requestHash) }, sealed)).toMatchObject({
        service: 1,
      });
      await expect(checkShaped({ signingHash: nextTo(signingHash) }, sealed)).rejects.toThrow(
        wrong("signingHash differs from"),
      );
    });
  });

  test("rejects a verdict that was signed for another decision than the one sent with it", async () => {
    const attestation = await anAttestation(transaction, wallet, { decision: "UNDECIDED" });
    for (const decision of ["APPROVED", "REJECTED"] as const)
      await expect(check(transaction, { decision, attestation, report: undefined })).rejects.toThrow(
        wrong("decision differs"),
      );
  });

  test("rejects a verdict for another chain or inbox", async () => {
    for (const elsewhere of [
      { ...domain, chainId: domain.chainId + 1 },
      { ...domain, inbox: nextTo(domain.inbox) },
    ])
      await expect(checkSigned({ domain: elsewhere })).rejects.toThrow(wrong("domain differs"));
  });

  test("compares the inbox in lower case", async () => {
    const checkMixed = makeCheck([aService(1, wallet)], {
      ...domain,
      inbox: domain.inbox.toUpperCase().replace("0X", "0x") as Hex,
    });
    const attestation = await anAttestation(transaction, wallet);
    expect(
      await checkMixed(transaction, { decision: "APPROVED", attestation, report: undefined }),
    ).toMatchObject({ service: 1 });
  });
});

test.each([[undefined], [null], ["0x"], [{}], [{ verdict: {} }]])(
  "rejects %j, which is not an attestation",
  async (attestation) => {
    const sent = { decision: "APPROVED", attestation, report: undefined } as const;
    await expect(check(transaction, sent)).rejects.toThrow(wrong("not a signed verdict"));
  },
);

test("rejects a report with one more member than the signed one", async () => {
  const attestation = await anAttestation(transaction, wallet, { reportHash: hashReport(aReport()) });
  const send = (report: unknown) => check(transaction, { decision: "APPROVED", attestation, report });
  await expect(send(aReport({ more: 1 }))).rejects.toThrow(wrong("reportHash differs"));
  await expect(send(null)).rejects.toThrow(wrong("reportHash differs"));
  expect(await send(aReport())).toMatchObject({ service: 1 });
});

describe("validity", () => {
  test.each(["APPROVED", "UNDECIDED"] as const)(
    "%s is valid until validUntil, exclusively",
    async (decision) => {
      expect(await checkSigned({ decision, validUntil: seconds + 1 })).toMatchObject({ service: 1 });
      await expect(checkSigned({ decision, validUntil: seconds })).rejects.toThrow(wrong("validUntil"));
    },
  );
  test("accepts a rejection of any age", async () => {
    expect(await checkSigned({ decision: "REJECTED", validUntil: seconds - 1 })).toMatchObject({
      service: 1,
    });
  });
});

describe("who signed it", () => {
  const send = async (services: readonly Service[], of: Transaction, change = {}) =>
    makeCheck(services)(of, {
      decision: "APPROVED",
      attestation: { ...(await anAttestation(of, wallet)), ...change },
      report: undefined,
    });
  const notSigned = wrong("not signed by its signer");
  const notOurs = wrong("not signed by an active verification service");

  test("rejects a signer other than the one of the signature", async () => {
    const signer = other.address.toLowerCase();
    const services = [aService(1, wallet), aService(2, other)];
    await expect(send(services, transaction, { signer })).rejects.toThrow(notSigned);
  });
  test("rejects a signature that differs in one bit", async () => {
    const { signature } = await anAttestation(transaction, wallet);
    const changed = `0x${nextTo(signature.slice(0, 10) as Hex).slice(2)}${signature.slice(10)}`;
    await expect(send([aService(1, wallet)], transaction, { signature: changed })).rejects.toThrow(notSigned);
  });
  test("rejects a signature that no key can make", async () => {
    // No point of the curve has 5 as its x coordinate.
    const signature = `0x${"5".padStart(64, "0")}${"1".padStart(64, "0")}1b`;
    await expect(send([aService(1, wallet)], transaction, { signature })).rejects.toThrow(notSigned);
  });
  test("accepts any signer while no service is registered", async () => {
    expect(await send([], transaction)).toMatchObject({ service: null });
    expect(await send([], aTransaction({ serviceId: 1 }))).toMatchObject({ service: null });
  });
  test("accepts every active service for a transaction that names no service", async () => {
    expect(await send([aService(1, other), aService(2, wallet)], transaction)).toMatchObject({ service: 2 });
  });
  test("rejects a service that is not active, and one that is not registered", async () => {
    await expect(send([aService(1, other), aService(2, wallet, false)], transaction)).rejects.toThrow(
      notOurs,
    );
    await expect(send([aService(1, other)], transaction)).rejects.toThrow(notOurs);
  });
  test("accepts only the service that the transaction was encrypted for, while it is active", async () => {
    const sealedFor = (serviceId: number) => aTransaction({ serviceId });
    const services = [aService(1, wallet), aService(2, other)];
    expect(await send(services, sealedFor(1))).toMatchObject({ service: 1 });
    await expect(send(services, sealedFor(2))).rejects.toThrow(notOurs);
    await expect(send(services, sealedFor(3))).rejects.toThrow(notOurs);
    await expect(send([aService(1, wallet, false)], sealedFor(1))).rejects.toThrow(notOurs);
  });
});

describe("a verdict without an attestation", () => {
  const requireWith = (services: readonly Service[]) =>
    makeRequireAttestation({
      findService: async (id) => services.find((service) => service.id === id),
      listServices: async () => services,
    });
  const required = expect.objectContaining({ code: transactionErrors.attestationRequired.code }) as Error;

  test("is rejected once a service is registered, active or not, unless it rejects", async () => {
    for (const services of [[aService(1, wallet)], [aService(1, wallet, false)]]) {
      for (const decision of ["APPROVED", "UNDECIDED"] as const)
        await expect(requireWith(services)(transaction, decision)).rejects.toThrow(required);
      await expect(requireWith(services)(transaction, "REJECTED")).resolves.toBeUndefined();
    }
  });
  test("is accepted while no service is registered", async () => {
    for (const decision of ["APPROVED", "UNDECIDED", "REJECTED"] as const)
      await expect(requireWith([])(transaction, decision)).resolves.toBeUndefined();
  });
});
