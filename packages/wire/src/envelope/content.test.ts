import fc from "fast-check";
import { describe, expect, test } from "vitest";
import vectors from "../../vectors.json" with { type: "json" };
import { hashProposal, type WireDomain } from "../index.ts";
import { aDomain, anyCount, anyHex, anyWord, aProposal, proposalArbitraries } from "../../test/index.ts";
import {
  hashContent,
  isWhole,
  maximumEnvelopeBytes,
  proposalOf,
  readContent,
  WholeContent,
  writeContent,
  type Content,
} from "./index.ts";

const anyContext = fc
  .dictionary(
    fc.string(),
    fc.json().map((json): unknown => JSON.parse(json)),
    { noNullPrototype: true },
  )
  .filter((context) => !JSON.stringify(context).includes("__proto__"));
const anyContent = fc.record(
  {
    ...proposalArbitraries,
    version: fc.constant(1 as const),
    value: proposalArbitraries.value.map(String),
    contextLogs: anyContext,
    intentSignature: fc.record({ signature: anyHex(1, 2048), nonce: anyWord, expiresAt: anyCount }),
  },
  { requiredKeys: ["version", "escrow", "chainId", "to", "value", "data", "userPrompt"] },
) as fc.Arbitrary<Content>;

const aContent = { ...aProposal, version: 1 as const, value: "10000000000000000" };
const read = (json: unknown) => readContent(JSON.stringify(json));

describe("a content", () => {
  test("is read as it was written", () => {
    fc.assert(
      fc.property(anyContent, (content) => {
        expect(readContent(writeContent(content))).toEqual(content);
      }),
    );
  });

  test("has the request hash of the proposal it was made from", () => {
    fc.assert(
      fc.property(fc.record(proposalArbitraries), (proposal) => {
        const content = readContent(
          writeContent({ ...proposal, version: 1, value: proposal.value.toString() }),
        );
        if (content?.version !== 1 || !isWhole(content)) expect.unreachable("not whole");
        expect(proposalOf(content)).toEqual(proposal);
        expect(hashContent(aDomain, content)).toBe(hashProposal(aDomain, proposal));
      }),
    );
  });

  test("is whole only with execution type, deadline and salt", () => {
    expect(isWhole(aContent)).toBe(true);
    for (const name of ["executionType", "deadline", "salt"]) {
      const content = read({ ...aContent, [name]: undefined });
      expect(content && isWhole(content), name).toBe(false);
      expect(WholeContent.safeParse(content).success, name).toBe(false);
    }
  });

  test("of another version, or with a member that is not known, is refused", () => {
    for (const version of [0, 2, 3, "1", null, undefined])
      expect(read({ ...aContent, version })).toBeUndefined();
    expect(read({ ...aContent, decision: "APPROVED" })).toBeUndefined();
    const intentSignature = { signature: "0x00", nonce: aContent.salt, expiresAt: 1 };
    expect(read({ ...aContent, intentSignature })).toBeDefined();
    expect(
      read({ ...aContent, intentSignature: { ...intentSignature, account: aContent.to } }),
    ).toBeUndefined();
  });

  test("of version 2 holds typed data in its canonical form, and nothing of version 1", () => {
    for (const { domain, fields, requestHash } of vectors.shapedProposals) {
      const content = read({ version: 2, ...fields });
      expect(content).toEqual({ version: 2, ...fields });
      if (content === undefined || !isWhole(content)) expect.unreachable("not whole");
      expect(hashContent(domain as WireDomain, content)).toBe(requestHash);
      expect(readContent(writeContent(content))).toEqual(content);
      const other = fields.shape === "calls" ? "typedData" : "calls";
      for (const change of [
        ...[{ to: aContent.to }, { shape: "tx" }, { shape: other }, { typedData: {} }, { calls: {} }],
        { [other]: vectors.shapedProposals.find(({ fields: { shape } }) => shape === other)?.fields },
      ])
        expect(read({ version: 2, ...fields, ...change })).toBeUndefined();
      const { shape, [shape]: payload } = fields as Readonly<Record<string, unknown>> & { shape: string };
      expect(read({ ...aContent, [shape]: payload })).toBeUndefined();
    }
  });

  test("with a member out of its range is refused", () => {
    const wrong = [
      { escrow: undefined },
      { to: null },
      { to: "0x" },
      { value: 1 },
      { value: "01" },
      { value: "-1" },
      { value: "0x1" },
      { value: " 1" },
      { value: "1\n" },
      { value: (2n ** 256n).toString() },
      { value: "9".repeat(100_000) },
      { data: "" },
      { data: "0x1" },
      { data: "0xzz" },
      { userPrompt: "\udc00" },
      { executionType: "1" },
      { deadline: 1.5 },
      { contextLogs: [] },
      { contextLogs: "text" },
      { intentSignature: { signature: "0x", nonce: aContent.salt, expiresAt: 1 } },
      { intentSignature: { signature: `0x${"00".repeat(2049)}`, nonce: aContent.salt, expiresAt: 1 } },
    ];
    for (const change of wrong) {
      expect(read({ ...aContent, ...change }), JSON.stringify(change).slice(0, 80)).toBeUndefined();
    }
  });

  test("with the largest value and the longest data is read", () => {
    const value = (2n ** 256n - 1n).toString();
    const data = `0x${"00".repeat(120_000)}` as const;
    expect(readContent(writeContent({ ...aContent, value, data }))).toMatchObject({ value, data });
  });

  test("has at most 256 kB of UTF-8, to the byte", () => {
    const frame = Buffer.byteLength(writeContent({ ...aContent, userPrompt: "" }));
    const room = maximumEnvelopeBytes - frame;
    const prompts = ["x".repeat(room), "\u20ac".repeat(Math.floor(room / 3)) + "x".repeat(room % 3)];
    for (const userPrompt of prompts) {
      const text = writeContent({ ...aContent, userPrompt });
      expect(Buffer.byteLength(text)).toBe(maximumEnvelopeBytes);
      expect(readContent(text)).toBeDefined();
      expect(readContent(`${text} `)).toBeUndefined();
      expect(() => writeContent({ ...aContent, userPrompt: `${userPrompt}x` })).toThrow(/at most/);
    }
  });

  test("with context nested too deep is refused, by writer and reader, before anything runs out of stack", () => {
    const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
    const within = { ...aContent, contextLogs: { a: nested(63) } };
    expect(readContent(writeContent(within))).toEqual(within);
    expect(readContent(JSON.stringify(within).replace("[", "[["))).toBeUndefined();
    const beyond = { ...aContent, contextLogs: { a: nested(100_000) } };
    expect(() => writeContent(beyond)).toThrow(/nested/);
    const text = JSON.stringify({ ...aContent, contextLogs: { a: 0 } });
    const deep = text.replace('"a":0', `"a":${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    expect(readContent(deep)).toBeUndefined();
  });

  test("keeps a lone surrogate in its context, which nothing hashes", () => {
    const content = { ...aContent, contextLogs: { note: "\ud800" } };
    expect(readContent(writeContent(content))).toEqual(content);
  });

  test("is not found in arbitrary text or JSON, and reading never throws", () => {
    for (const texts of [fc.string({ unit: "binary" }), fc.json()]) {
      fc.assert(
        fc.property(texts, (text) => {
          expect(readContent(text)).toBeUndefined();
        }),
      );
    }
  });
});
