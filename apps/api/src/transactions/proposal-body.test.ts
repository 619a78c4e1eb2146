import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProposalBody, type OpenProposal } from "./proposal-body.ts";
import { aProposal } from "./testing.ts";

const escrow = `0x${"a".repeat(40)}`;
const { tx } = aProposal(escrow) as { tx: Readonly<Record<string, string>> };

const read = (overrides: Readonly<Record<string, unknown>>): OpenProposal | undefined =>
  ProposalBody.safeParse(aProposal(escrow, overrides)).data as OpenProposal | undefined;
const readTx = (changes: Readonly<Record<string, unknown>>) => read({ tx: { ...tx, ...changes } })?.tx;

const uint256 = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const hexDigits = fc.string({ unit: fc.constantFrom(..."0123456789abcdefABCDEF".split("")), maxLength: 200 });
const json = fc.jsonValue({ maxDepth: 6 });

describe("an amount", () => {
  test("keeps every digit", () => {
    fc.assert(
      fc.property(uint256, (value) => {
        expect(readTx({ value: value.toString() })?.value).toBe(value.toString());
      }),
    );
  });
  test("is one from 0 to 2^256 - 1, in decimal digits and nothing else", () => {
    expect(readTx({ value: "0" })?.value).toBe("0");
    expect(readTx({ value: "007" })?.value).toBe("7");
    expect(readTx({ value: String(2n ** 256n - 1n) })).toBeDefined();
    fc.assert(
      fc.property(fc.bigInt({ min: 2n ** 256n, max: 2n ** 300n }), (value) => {
        expect(readTx({ value: value.toString() })).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(
        fc
          .oneof(fc.string(), fc.float().map(String), fc.float(), fc.anything())
          .filter((value) => typeof value !== "string" || !/^[0-9]{1,77}$/.test(value)),
        (value) => {
          expect(readTx({ value })).toBeUndefined();
        },
      ),
    );
  });
});

describe("calldata", () => {
  test("is whole bytes in hex, in lower case from here on", () => {
    fc.assert(
      fc.property(hexDigits, (digits) => {
        const data = `0x${digits}`;
        expect(readTx({ data })?.data).toBe(digits.length % 2 === 0 ? data.toLowerCase() : undefined);
      }),
    );
  });
  test("has at most 128 kB of digits", () => {
    expect(readTx({ data: `0x${"00".repeat(64 * 1024)}` })).toBeDefined();
    expect(readTx({ data: `0x${"00".repeat(64 * 1024 + 1)}` })).toBeUndefined();
  });
});

describe("the words", () => {
  test("are kept as they are, from 1 to 16,000 characters of any kind", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1, maxLength: 300 }), (userPrompt) => {
        expect(read({ userPrompt })?.userPrompt).toBe(userPrompt);
      }),
    );
    for (const character of ["x", "語", "🦊"]) {
      expect(read({ userPrompt: character.repeat(16_000) })).toBeDefined();
      expect(read({ userPrompt: character.repeat(16_001) })).toBeUndefined();
    }
    expect(read({ userPrompt: "" })).toBeUndefined();
  });
});

describe("the context", () => {
  test("is any JSON object of at most 64 kB", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string().filter((name) => name !== "__proto__"),
          json,
        ),
        (contextLogs) => {
          expect(read({ contextLogs })?.contextLogs).toEqual(contextLogs);
        },
      ),
    );
    const ofBytes = (count: number) => ({ a: "x".repeat(count - '{"a":""}'.length) });
    expect(read({ contextLogs: ofBytes(64 * 1024) })).toBeDefined();
    expect(read({ contextLogs: ofBytes(64 * 1024 + 1) })).toBeUndefined();
  });
  test("is nested at most 16 deep", () => {
    const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`);
    expect(read({ contextLogs: nested(16) })).toBeDefined();
    expect(read({ contextLogs: nested(17) })).toBeUndefined();
  });
});

test("a chain is a positive whole number that a double holds; Sepolia if none is named", () => {
  expect(read({})?.chainId).toBe(11_155_111);
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger()), (chainId) => {
      const isRight = Number.isSafeInteger(chainId) && chainId > 0;
      expect(read({ chainId })?.chainId).toBe(isRight ? chainId : undefined);
    }),
  );
});

test("members that nobody reads are refused, in the call and around it", () => {
  const known = new Set(["to", "value", "data"]);
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }).filter((name) => !known.has(name) && name !== "__proto__"),
      (name) => {
        expect(readTx({ [name]: 1 })).toBeUndefined();
      },
    ),
  );
  expect(read({ unread: 1 })).toBeUndefined();
});

test("anything at all is read or refused, never thrown at", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...Object.keys(aProposal(escrow)), "deadline"), fc.anything()),
      (odd) => {
        expect(() => ProposalBody.safeParse({ ...aProposal(escrow), ...odd })).not.toThrow();
      },
    ),
  );
});
