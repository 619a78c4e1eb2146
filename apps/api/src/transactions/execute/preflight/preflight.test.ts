import { describe, expect, test } from "vitest";
import type { Simulation } from "../../../adapters/chain/index.ts";
import type { Hex } from "../../transaction.ts";
import { makePreflight, takeSnapshot, type Candidate } from "./index.ts";

const hash: Hex = `0x${"11".repeat(32)}`;
const now = new Date("2026-01-01T12:00:00Z");
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000);

const chain = {
  simulate: async (): Promise<Simulation> => ({
    ...{ block: 7n, succeeded: true, reason: null, gained: -5n, logs: [], touched: [], measured: [] },
    time: BigInt(now.getTime() / 1000),
  }),
  readCodeHashes: async (addresses: readonly Hex[]) => new Map(addresses.map((one) => [one, hash])),
  readNonces: async () => ({ latest: 4, pending: 4 }),
  readBlockHash: async (): Promise<Hex | null> => hash,
};
const transaction: Candidate = {
  ...{ id: "one", chainId: 5, escrow: `0x${"e5".repeat(20)}`, deadline: inSeconds(60) },
  tx: { to: `0x${"0b".repeat(20)}`, value: 1n, data: "0x" },
};
const verdict = { validUntil: inSeconds(60).getTime() / 1000 };
const kept = await takeSnapshot(chain, {
  from: transaction.escrow,
  ...{ to: `0x${"0b".repeat(20)}`, value: 1n, data: "0x" },
});

const aPreflight = (parts: Partial<Parameters<typeof makePreflight>[0]> = {}) =>
  makePreflight({
    chainOf: (chainId) => (chainId === 5 ? chain : undefined),
    clock: { now: () => now },
    toleranceBps: 100,
    readSnapshot: async (id) => (id === "one" ? kept : undefined),
    readReport: async () => undefined,
    ...parts,
  });
const never = (...reasons: readonly string[]) => ({ ok: false, isPassing: false, reasons });

describe("an unchanged transaction", () => {
  test("is sent", async () => {
    expect(await aPreflight()(transaction, verdict)).toEqual({ ok: true });
  });
});

describe("never sends", () => {
  test.each<[string, Partial<Candidate>, { validUntil: number }, string]>([
    ["with an old verdict", {}, { validUntil: now.getTime() / 1000 }, "its verdict is no longer valid"],
    ["with a verdict until no time", {}, { validUntil: Number.NaN }, "its verdict is no longer valid"],
    ["past its deadline", { deadline: now }, verdict, "its deadline has passed"],
    ["what we have no bytes of", { tx: null }, verdict, "only its sender knows its call"],
    ["on a chain that we have no node of", { chainId: 6 }, verdict, "no node for chain 6 is configured"],
    [
      "what there is no snapshot of",
      { id: "two" },
      verdict,
      "its effect at the time of verification is not known",
    ],
  ])("%s", async (_, change, given, reason) => {
    expect(await aPreflight()({ ...transaction, ...change }, given)).toEqual(never(reason));
  });

  test.each([null, {}, "text", { ...kept, block: 7 }])(
    "a transaction with a malformed snapshot: %j",
    async (found) => {
      const preflight = aPreflight({ readSnapshot: async () => found });
      expect(await preflight(transaction, verdict)).toEqual(
        never("its effect at the time of verification is not known"),
      );
    },
  );

  test("a transaction with another effect, with all reasons", async () => {
    const other = {
      ...chain,
      readCodeHashes: async (all: readonly Hex[]) =>
        new Map(all.map((one) => [one, kept.code[one] === hash ? (`0x${"22".repeat(32)}` as const) : hash])),
    };
    const found = await aPreflight({ chainOf: () => other })(transaction, verdict);
    expect(found).toMatchObject({ ok: false, isPassing: false });
    expect("reasons" in found && found.reasons).toHaveLength(2);
  });

  test("a transaction that expired during the preflight", async () => {
    const times = [now, inSeconds(61)];
    const preflight = aPreflight({ clock: { now: () => times.shift() ?? inSeconds(61) } });
    expect(await preflight(transaction, verdict)).toEqual(
      never("its deadline has passed", "its verdict is no longer valid"),
    );
  });
});

describe("is undecided", () => {
  test("while another transaction of the wallet is pending", async () => {
    const busy = { ...chain, readNonces: async () => ({ latest: 4, pending: 5 }) };
    expect(await aPreflight({ chainOf: () => busy })(transaction, verdict)).toEqual({
      ...{ ok: false, isPassing: true, reasons: ["another transaction of this wallet is under way"] },
    });
  });

  test.each(["simulate", "readCodeHashes", "readNonces"] as const)(
    "when the node cannot be reached for %s: throws",
    async (question) => {
      const away = { ...chain, [question]: () => Promise.reject(new Error("away")) };
      await expect(aPreflight({ chainOf: () => away })(transaction, verdict)).rejects.toThrow("away");
    },
  );

  test("when the database cannot be reached: throws", async () => {
    const preflight = aPreflight({ readSnapshot: () => Promise.reject(new Error("away")) });
    await expect(preflight(transaction, verdict)).rejects.toThrow("away");
  });
});

describe("bounds in the signed report", () => {
  const block = { number: "7", hash };
  const aReport = (given: object = {}) => ({
    context: {
      bounds: {
        ...{ status: "known", account: transaction.escrow, block, allowances: [] },
        changes: [{ kind: "native", symbol: "ETH", holder: transaction.escrow, approved: "-5", least: "-5" }],
        ...given,
      },
    },
  });
  const check = (report: unknown, over: Partial<typeof chain> = {}) =>
    aPreflight({ readReport: async () => report, chainOf: () => ({ ...chain, ...over }) })(
      transaction,
      verdict,
    );

  test("that are kept do not stop it", async () => {
    expect(await check(aReport())).toEqual({ ok: true });
  });

  test.each([[{ status: "unknown", why: "NFTs" }], [undefined]])(
    "that are not there leave it to the snapshot: %j",
    async (bounds) => {
      expect(await check({ context: { bounds } })).toEqual({ ok: true });
    },
  );

  test("that are broken stop it, although the snapshot is the same", async () => {
    const changes = [
      { kind: "native", symbol: "ETH", holder: transaction.escrow, approved: "-4", least: "-4" },
    ];
    expect(await check(aReport({ changes }))).toEqual(
      never("5 base units of ETH would leave: 4 when it was approved, at most 4"),
    );
  });

  test.each([
    ["malformed", aReport({ changes: "none" }), "malformed"],
    ["of another account", aReport({ account: `0x${"aa".repeat(20)}` }), "another account"],
  ])("that are %s stop it", async (_, report, why) => {
    expect(await check(report)).toEqual(never(expect.stringContaining(why) as string));
  });

  test("of a block that a reorg removed stop it", async () => {
    const found = await check(aReport(), { readBlockHash: async () => `0x${"99".repeat(32)}` });
    expect(found).toEqual(never("the block that it was verified on is no longer part of the chain"));
  });

  test("of a block that the node does not have yet make it wait", async () => {
    expect(await check(aReport(), { readBlockHash: async () => null })).toEqual({
      ...{ ok: false, isPassing: true },
      reasons: ["the node has not reached the block of the verification"],
    });
  });

  test("make it wait while the node's newest block is older than ten minutes", async () => {
    const at = (seconds: number) => ({
      simulate: async () => ({
        ...(await chain.simulate()),
        time: BigInt(inSeconds(-seconds).getTime() / 1000),
      }),
    });
    expect(await check(aReport(), at(600))).toEqual({ ok: true });
    expect(await check(aReport(), at(601))).toEqual({
      ...{ ok: false, isPassing: true, reasons: ["the node's newest block is 601 seconds old"] },
    });
  });

  test("throw when the node or the database cannot be reached", async () => {
    const away = () => Promise.reject(new Error("away"));
    await expect(check(aReport(), { readBlockHash: away })).rejects.toThrow("away");
    await expect(aPreflight({ readReport: away })(transaction, verdict)).rejects.toThrow("away");
  });

  test("are measured: the balances are passed to the simulation", async () => {
    const token = `0x${"cc".repeat(20)}`;
    const changes = [
      { kind: "token", address: token, holder: transaction.escrow, approved: "3", least: "3" },
    ];
    const measuring = (measured: bigint | null) => ({
      simulate: async (given?: { readonly measures?: readonly unknown[] }) => {
        expect(given?.measures).toMatchObject([{ holder: transaction.escrow, token }]);
        return { ...(await chain.simulate()), measured: [measured] };
      },
    });
    expect(await check(aReport({ changes }), measuring(3n))).toEqual({ ok: true });
    expect(await check(aReport({ changes }), measuring(2n))).toMatchObject({ ok: false, isPassing: false });
    expect(await check(aReport({ changes }), measuring(null))).toMatchObject({
      reasons: [expect.stringContaining("could not be measured")],
    });
  });
});
