import fc from "fast-check";
import { CID } from "multiformats/cid";
import { create } from "multiformats/hashes/digest";
import { describe, expect, test } from "vitest";
import { anyWord } from "../../test/index.ts";
import { cidOf, digestOfCid } from "./index.ts";

const bytes = new Uint8Array(32).fill(7);
const sha2256 = create(0x12, bytes);

describe("a CID", () => {
  test("leads back to its digest", () => {
    fc.assert(
      fc.property(anyWord, (digest) => {
        expect(cidOf(digest)).toMatch(/^bafkrei[a-z2-7]{52}$/);
        expect(digestOfCid(cidOf(digest))).toBe(digest);
      }),
    );
  });

  test("of another version, codec, hash or spelling is not one of ours", () => {
    const ours = CID.createV1(0x55, sha2256);
    const others = {
      "version 0": CID.createV0(sha2256).toString(),
      "codec dag-pb": CID.createV1(0x70, sha2256).toString(),
      "hash sha3-256": CID.createV1(0x55, create(0x16, bytes)).toString(),
      "digest of 31 bytes": CID.createV1(0x55, create(0x12, bytes.subarray(1))).toString(),
      "upper case": ours.toString().toUpperCase(),
      "a path behind it": `${ours.toString()}/x`,
    };
    expect(digestOfCid(ours.toString())).toBe(`0x${"07".repeat(32)}`);
    for (const [kind, cid] of Object.entries(others)) expect(digestOfCid(cid), kind).toBeUndefined();
  });

  test("whose last letter has stray bits is refused, though it decodes", () => {
    const ours = cidOf(`0x${"07".repeat(32)}`);
    const alphabet = Array.from("abcdefghijklmnopqrstuvwxyz234567");
    const accepted = alphabet.filter((letter) => digestOfCid(ours.slice(0, -1) + letter) !== undefined);
    // 36 bytes are 57 letters and 3 bits: of the last letter's five bits two must be zero.
    expect(accepted).toHaveLength(8);
  });

  test("is not found in arbitrary text, and looking never throws", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 59, maxLength: 59 }), (text) => {
        expect(digestOfCid(text)).toBeUndefined();
      }),
    );
  });

  test("is made of 32 bytes only", () => {
    expect(() => cidOf("0x07")).toThrow(/32 bytes/);
    expect(() => cidOf(`0x${"zz".repeat(32)}`)).toThrow(/32 bytes/);
  });
});
