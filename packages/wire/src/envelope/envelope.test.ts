import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyAddress, anyChainId, anyCount, anyExecutionType, anyWord } from "../../test/index.ts";
import { maximumEnvelopeBytes, readEnvelope, writeEnvelope, type Envelope } from "./index.ts";

const anyCiphertext = fc.string({ unit: "binary", minLength: 1, maxLength: 200 });
const anyEnvelope: fc.Arbitrary<Envelope> = fc.oneof(
  fc.record({
    version: fc.constant(1 as const),
    form: fc.constant("standard" as const),
    ciphertext: anyCiphertext,
  }),
  fc.record({
    version: fc.constant(1 as const),
    form: fc.constant("sealed" as const),
    escrow: anyAddress,
    chainId: anyChainId,
    executionType: anyExecutionType,
    deadline: anyCount,
    salt: anyWord,
    ciphertext: anyCiphertext,
  }),
);
const standard = { version: 1, form: "standard", ciphertext: "-----BEGIN PGP MESSAGE-----" } as const;
const sealed = {
  ...standard,
  form: "sealed",
  escrow: `0x${"ea".repeat(20)}`,
  chainId: 1,
  executionType: 1,
  deadline: 1_800_000_000,
  salt: `0x${"5a".repeat(32)}`,
} as const;
const read = (json: unknown) => readEnvelope(new TextEncoder().encode(JSON.stringify(json)));

describe("an envelope", () => {
  test("is read as it was written", () => {
    fc.assert(
      fc.property(anyEnvelope, (envelope) => {
        expect(readEnvelope(writeEnvelope(envelope))).toEqual(envelope);
      }),
    );
  });

  test("has the same bytes whatever the order of its members and the letter case of its hex", () => {
    const reordered = Object.fromEntries(Object.entries(sealed).reverse()) as Envelope;
    expect(writeEnvelope(reordered)).toEqual(writeEnvelope(sealed));
    expect(writeEnvelope({ ...sealed, escrow: `0x${"EA".repeat(20)}` })).toEqual(writeEnvelope(sealed));
  });

  test("of another version or form is refused", () => {
    for (const version of [0, 2, "1", null, undefined]) {
      expect(read({ ...standard, version })).toBeUndefined();
      expect(read({ ...sealed, version })).toBeUndefined();
    }
    for (const form of ["", "plain", null, undefined]) expect(read({ ...sealed, form })).toBeUndefined();
  });

  test("with a member that is not known is refused", () => {
    expect(read({ ...standard, note: "" })).toBeUndefined();
    expect(read({ ...sealed, to: sealed.escrow })).toBeUndefined();
    expect(read({ ...sealed, form: "standard" })).toBeUndefined();
    const bytes = new TextEncoder().encode(`{"__proto__":{},${JSON.stringify(standard).slice(1)}`);
    expect(readEnvelope(bytes)).toBeUndefined();
  });

  test("without one of its members is refused", () => {
    for (const envelope of [standard, sealed]) {
      expect(read(envelope)).toEqual(envelope);
      for (const name of Object.keys(envelope))
        expect(read({ ...envelope, [name]: undefined }), name).toBeUndefined();
    }
  });

  test("with a member out of its range is refused", () => {
    const wrong = [
      { escrow: "0xea" },
      { chainId: 0 },
      { chainId: 1.5 },
      { chainId: 2 ** 53 },
      { chainId: "1" },
      { executionType: 3 },
      { deadline: -1 },
      { salt: "0x" },
      { ciphertext: "" },
      { ciphertext: "\ud800" },
    ];
    for (const change of wrong)
      expect(read({ ...sealed, ...change }), JSON.stringify(change)).toBeUndefined();
  });

  test("has at most 256 kB, to the byte", () => {
    const frame = writeEnvelope({ ...standard, ciphertext: "x" }).byteLength - 1;
    const full = writeEnvelope({ ...standard, ciphertext: "x".repeat(maximumEnvelopeBytes - frame) });
    expect(full.byteLength).toBe(256 * 1024);
    expect(readEnvelope(full)).toBeDefined();
    expect(readEnvelope(Buffer.concat([full, Buffer.from(" ")]))).toBeUndefined();
    const larger = { ...standard, ciphertext: "x".repeat(maximumEnvelopeBytes - frame + 1) };
    expect(() => writeEnvelope(larger)).toThrow(/at most/);
  });

  test("is not found in arbitrary bytes or JSON, and reading never throws", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(readEnvelope(bytes)).toBeUndefined();
      }),
    );
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(readEnvelope(new TextEncoder().encode(json))).toBeUndefined();
      }),
    );
    for (const open of ["[", '{"form":']) {
      const bytes = new TextEncoder().encode(open.repeat(Math.floor(maximumEnvelopeBytes / open.length)));
      expect(readEnvelope(bytes)).toBeUndefined();
    }
  });

  test("is UTF-8 without a byte order mark", () => {
    const bytes = writeEnvelope(standard);
    expect(readEnvelope(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]))).toBeUndefined();
    const latin1 = Buffer.from(JSON.stringify({ ...standard, ciphertext: "caf\u00e9" }), "latin1");
    expect(readEnvelope(latin1)).toBeUndefined();
  });
});
