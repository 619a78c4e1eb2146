import type { Hex } from "@countersign/wire";
import { describe, expect, test } from "vitest";
import type { Proof, Use } from "../uses/index.ts";
import { conclude, makeCheckUses } from "./check-uses.ts";
import type { WatchedUse } from "./store/uses.ts";

const proof = (endsAt: bigint | null, closedBy: "spent" | "unusable" = "unusable"): Proof => ({
  ...{ kind: "any", contracts: [], marks: [], endsAt, judge: () => undefined },
  state: { read: { nonceOf: "0x00" }, isOpen: () => undefined, closedBy },
});

describe("the state of a nonce", () => {
  test.each([
    ["unused before the end", proof(100n), { isOpen: true, timestamp: 99n }, undefined],
    ["unused at the end", proof(100n), { isOpen: true, timestamp: 100n }, "expired"],
    ["unused without an end", proof(null), { isOpen: true, timestamp: 10n ** 12n }, undefined],
    ["used, never seen unused", proof(100n), { isOpen: false, wasOpen: false }, "spent"],
    ["used, seen unused", proof(100n), { isOpen: false }, "unusable"],
    ["used, seen unused, of a kind with other uses", proof(100n, "spent"), { isOpen: false }, "spent"],
    ["used after the end", proof(100n), { isOpen: false, wasOpen: false, timestamp: 101n }, "spent"],
    ["unreadable", proof(100n), { isOpen: undefined, timestamp: 101n }, undefined],
  ] as const)("that is %s", (_, of, seen, outcome) => {
    expect(conclude(of, { wasOpen: true, timestamp: 50n, ...seen })).toBe(outcome);
  });
});

const last = { number: 7n, hash: "0xb7" } as const;
const watched: WatchedUse = {
  ...{ id: "one", chainId: 5, escrow: `0x${"a1".repeat(20)}`, signingHash: "0x01", marks: [], wasOpen: true },
  payload: {
    shape: "authorizationList",
    authorizationList: [{ chainId: 5, address: `0x${"b2".repeat(20)}`, nonce: "3" }],
  },
  use: null,
};

function aCheck({ answer = "0x3", hash = last.hash }: { answer?: Hex; hash?: Hex } = {}) {
  const did: unknown[] = [];
  const check = makeCheckUses({
    chain: {
      chainId: 5,
      readHeader: async (number) => ({ number, hash, timestamp: 70n }),
      readState: async (question, { hash: at }) => {
        did.push([question, at]);
        return answer;
      },
    },
    store: {
      listDue: async () => [watched],
      noteChecked: async ({ id }, seen) => void did.push([id, seen]),
    },
    sightings: { see: async (id: string, use: Use) => void did.push([id, use]) },
  });
  return { did, check: () => check(last) };
}

test("reads the state of the block that was read, by its hash, and notes that the nonce is unused", async () => {
  const { did, check } = aCheck();
  await check();
  expect(did).toEqual([
    [{ nonceOf: watched.escrow }, last.hash],
    ["one", { isOpen: true, endsAt: null }],
  ]);
});

test("shows a conclusion with the block that proves it", async () => {
  const { did, check } = aCheck({ answer: "0x4" });
  await check();
  expect(did.at(-1)).toEqual(["one", { outcome: "unusable", hash: null, block: 7n, blockHash: last.hash }]);
});

test("concludes nothing from a block that was replaced", async () => {
  const { did, check } = aCheck({ answer: "0x4", hash: "0xb8" });
  await check();
  expect(did).toEqual([]);
});
