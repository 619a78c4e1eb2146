import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openSnapshot, readSnapshot, type Lists } from "./load-lists.ts";

const lazarus = "0x098b716b8aaf21512996dc57eb0615e2383e2f96";
const drainer = "0x1111111111111111111111111111111111111111";
const tornado = "0xd90e2f925da726b50c4ed8d0fb90ad053324f31b";
const now = BigInt(Date.parse("2026-11-15T00:00:00Z")) / 1000n;

const loadLists = (from: string | null, clock: () => bigint = () => now): Lists =>
  openSnapshot(readSnapshot(from, { now: clock(), keys: [] }), clock, 45);

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "lists-"));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});
const put = (name: string, content: unknown): void => {
  writeFileSync(join(directory, name), typeof content === "string" ? content : JSON.stringify(content));
};
const aList = (asOf: string, ...entries: readonly unknown[]) => ({
  name: "mine",
  asOf,
  source: "me",
  entries,
});

describe("lists", () => {
  test("without a directory there is the seed, on which a hit counts and a miss does not", () => {
    const { sanctions, scams, blockedProtocols, policy } = loadLists(null);
    expect(sanctions?.has(lazarus)).toBe(true);
    expect(sanctions?.note(lazarus)).toContain("LAZARUS");
    expect(sanctions?.fresh).toBe(false);
    expect(sanctions?.size).toBeLessThanOrEqual(20);
    expect(scams).toBeNull();
    expect(blockedProtocols).toBeNull();
    expect(policy.allowedChains).toBeNull();
  });

  test("does not hold what was taken off the list in March 2025", () => {
    expect(loadLists(null).sanctions?.has(tornado)).toBe(false);
  });

  test("a young list of the operator makes a miss count; files of one kind are joined", () => {
    put(
      "sanctions-ofac.json",
      aList("2026-11-01", { address: drainer.toUpperCase().replace("0X", "0x"), note: "x" }),
    );
    put("sanctions-eu.json", aList("2025-01-01", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT", tornado));
    const { sanctions } = loadLists(directory);
    expect(sanctions).toMatchObject({ asOf: "2026-11-01", fresh: true });
    expect([drainer, tornado, lazarus].map((address) => sanctions?.has(address as `0x${string}`))).toEqual([
      true,
      true,
      true,
    ]);
    expect(sanctions?.note(drainer)).toBe("x");
  });

  test("a list grows old while the process runs", () => {
    put("scam-db.json", aList("2026-11-01", drainer));
    let time = now;
    const { scams } = loadLists(directory, () => time);
    expect(scams?.fresh).toBe(true);
    time += 40n * 86_400n;
    expect(scams?.fresh).toBe(false);
    expect(scams?.has(drainer)).toBe(true);
  });

  test.each([
    ["sanctions.json", "{", "not readable as JSON"],
    ["sanctions.json", { name: "x" }, "asOf"],
    ["sanctions.json", aList("yesterday", drainer), "asOf"],
    ["sanctions.json", aList("2030-01-01", drainer), "future"],
    ["sanctions.json", aList("2026-11-01"), "no EVM address"],
    ["scam.json", aList("2026-11-01", "0x12"), "0x12 is not an address"],
    ["sanction.json", aList("2026-11-01", drainer), "starts with"],
    ["policy.json", { maxFeesBps: 5 }, "maxFeesBps"],
    ["policy.json", { maxFeeBps: 20_000 }, "maxFeeBps"],
    ["policy.json", { maxUnitsPerTransaction: { USDC: "1.5" } }, "base units"],
  ])("%s that holds %j stops the start and is named", (name, content, fault) => {
    put(name, content);
    expect(() => loadLists(directory)).toThrow(name);
    expect(() => loadLists(directory)).toThrow(fault);
  });

  test("folders and other files are left alone; a missing directory is not", () => {
    mkdirSync(join(directory, "erc7730"));
    put("README.md", "hello");
    expect(() => loadLists(directory)).not.toThrow();
    expect(() => loadLists(join(directory, "none"))).toThrow("none");
  });
});

describe("policy", () => {
  test("keeps the defaults that the operator does not override", () => {
    put("policy.json", {
      allowedChains: [1, 10],
      deniedAssets: ["usdt", drainer.toUpperCase().replace("0X", "0x")],
      maxUsdPerTransaction: 500,
      maxUnitsPerTransaction: { usdc: "1000000" },
      jurisdictions: [{ jurisdiction: "US", deniedActs: ["borrow"] }],
      maxFeeBps: 30,
    });
    const { policy } = loadLists(directory);
    expect(policy).toMatchObject({
      allowedAssets: null,
      maxUsdPerTransaction: 500,
      jurisdictions: [{ jurisdiction: "US", deniedActs: ["borrow"], deniedAssets: [] }],
      maxFeeBps: 30n,
      maxSlippageBps: 500n,
    });
    expect([...(policy.allowedChains ?? [])]).toEqual([1, 10]);
    expect([...policy.deniedAssets]).toEqual(["USDT", drainer]);
    expect(policy.maxUnitsPerTransaction.get("USDC")).toBe(1_000_000n);
  });

  test("two policies are one too many", () => {
    put("policy-a.json", {});
    put("policy-b.json", {});
    expect(() => loadLists(directory)).toThrow("there is a policy already");
  });
});
