import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ProposalBody, type OpenProposal } from "./proposal-body.ts";
import { aProposal } from "../../test/transactions.ts";

const escrow = `0x${"a".repeat(40)}`;
const { tx } = aProposal(escrow) as { tx: Readonly<Record<string, string>> };

const read = (overrides: Readonly<Record<string, unknown>>): OpenProposal | undefined =>
  ProposalBody.safeParse(aProposal(escrow, overrides)).data as OpenProposal | undefined;
const readTx = (changes: Readonly<Record<string, unknown>>) => {
  const content = read({ tx: { ...tx, ...changes } })?.content;
  return content !== undefined && "tx" in content ? content.tx : undefined;
};

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
  test("is from 0 to 2^256 - 1, in decimal digits and nothing else", () => {
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
  test("is whole bytes in hex, converted to lower case", () => {
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

describe("the intent", () => {
  test("is kept unchanged, from 1 to 16,000 characters of any kind", () => {
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

test("a chain is a positive safe integer; the default is Sepolia", () => {
  expect(read({})?.chainId).toBe(11_155_111);
  fc.assert(
    fc.property(fc.oneof(fc.double(), fc.integer(), fc.maxSafeInteger()), (chainId) => {
      const isRight = Number.isSafeInteger(chainId) && chainId > 0;
      expect(read({ chainId })?.chainId).toBe(isRight ? chainId : undefined);
    }),
  );
});

describe("unknown members", () => {
  const problemsWith = (
    changes: Readonly<Record<string, unknown>>,
    more: Readonly<Record<string, unknown>> = {},
  ) => ProposalBody.safeParse(aProposal(escrow, { tx: { ...tx, ...changes }, ...more })).error?.issues;

  test("are ignored around the call, in the call and in the owner's signature", () => {
    const expected = read({});
    expect(expected).toBeDefined();
    expect(read({ unread: 1, metadata: { a: 1 }, tx: { ...tx, label: "rent", note: {} } })).toEqual(expected);
    const intentSignature = { signature: "0x12", nonce: `0x${"12".repeat(32)}`, expiresAt: 1 };
    expect(read({ intentSignature: { ...intentSignature, version: 2 } })?.intentSignature).toEqual(
      intentSignature,
    );
  });
  test("of the call are ignored, whatever their names", () => {
    fc.assert(
      fc.property(fc.uuid(), json, (name, value) => {
        expect(readTx({ [name]: value })).toEqual(readTx({}));
      }),
    );
  });
  test.each([
    ...["nonce", "gas", "gasLimit", "gas_price", "maxFeePerGas", "max-priority-fee-per-gas", "type"],
    ...["accessList", "authorizationList", "blobVersionedHashes", "operation", "calls", "initCode"],
    ...["paymasterAndData", "signature", "To", "DATA", "Value", "from", "input", "chainId", "chain_id"],
  ])("of the call that would change what is signed are rejected with a message: %s", (name) => {
    expect(problemsWith({ [name]: "0x02" })).toMatchObject([
      { path: ["tx", name], message: expect.stringMatching(/^would change what is signed/) as string },
    ]);
  });
  test.each([
    ["from", `0x${"A".repeat(40)}`],
    ["from", escrow],
    ["input", tx["data"]],
    ["chainId", 11_155_111],
    ["chainId", "11155111"],
    ["chainId", "0xaa36a7"],
    ["nonce", null],
    ["accessList", undefined],
  ])("of the call that repeat the proposal's values are ignored: %s %j", (name, value) => {
    expect(readTx({ [name]: value })).toEqual(readTx({}));
  });
  test.each([
    ["from", `0x${"a".repeat(39)}b`],
    ["from", [escrow]],
    ["input", `${tx["data"]}00`],
    ["chainId", 11_155_112],
    ["chainId", "0xaa36a8"],
    ["chainId", "11155111.0"],
    ["accessList", []],
    ["nonce", 0],
  ])("of the call that differ slightly from the proposal are rejected: %s %j", (name, value) => {
    expect(problemsWith({ [name]: value })).toMatchObject([{ path: ["tx", name] }]);
  });
});

test("any input is parsed or rejected, without throwing", () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...Object.keys(aProposal(escrow)), "deadline"), fc.anything()),
      (odd) => {
        expect(() => ProposalBody.safeParse({ ...aProposal(escrow), ...odd })).not.toThrow();
      },
    ),
  );
});
