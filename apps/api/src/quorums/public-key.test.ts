import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pemOf, readP256Key } from "./public-key.ts";

const pair = (namedCurve = "P-256") => generateKeyPairSync("ec", { namedCurve });
const der = (key: KeyObject): Buffer => key.export({ type: "spki", format: "der" });
const wrap = (bytes: Buffer, label = "PUBLIC KEY"): string =>
  `-----BEGIN ${label}-----\n${bytes.toString("base64")}\n-----END ${label}-----\n`;

const { publicKey, privateKey } = pair();
const good = pemOf(publicKey);
const spki = der(publicKey);
/** The coordinates are the last 64 of the 91 bytes, after a byte that marks both as present. */
const head = spki.subarray(0, 26);

const offTheCurve = (): Buffer => {
  const bytes = Buffer.from(spki);
  bytes[90] = (bytes[90] ?? 0) ^ 1;
  return bytes;
};

describe("a P-256 public key is rejected", () => {
  test.each([
    ["of RSA", pemOf(generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey)],
    ["of secp256k1", pemOf(pair("secp256k1").publicKey)],
    ["of P-384", pemOf(pair("P-384").publicKey)],
    ["of Ed25519", pemOf(generateKeyPairSync("ed25519").publicKey)],
    ["that is private", privateKey.export({ type: "pkcs8", format: "pem" }).toString()],
    ["that is private, in the older form", privateKey.export({ type: "sec1", format: "pem" }).toString()],
    ["that is private and says it is public", wrap(privateKey.export({ type: "pkcs8", format: "der" }))],
    ["that is public and says it is private", wrap(spki, "PRIVATE KEY")],
    ["in a certificate's clothes", wrap(spki, "CERTIFICATE")],
    ["that is nothing", ""],
    ["that is garbage", "hello"],
    ["that is garbage in armour", wrap(Buffer.from("hello"))],
    ["that is empty armour", "-----BEGIN PUBLIC KEY-----\n-----END PUBLIC KEY-----\n"],
    ["whose armour has no end", good.replace(/-----END.*/s, "")],
    ["whose point is off the curve", wrap(offTheCurve())],
    ["whose point is nowhere", wrap(Buffer.concat([head, Buffer.from([4]), Buffer.alloc(64)]))],
    ["that is cut off", wrap(spki.subarray(0, 90))],
    ["with a byte after it", wrap(Buffer.concat([spki, Buffer.from([0])]))],
    ["with another key after it", wrap(Buffer.concat([spki, spki]))],
    ["with another block after it", good + pemOf(pair().publicKey)],
    ["with a private key after it", good + privateKey.export({ type: "pkcs8", format: "pem" }).toString()],
    ["with words before it", `my key:\n${good}`],
    ["with words after it", `${good}my key`],
    ["with headers in its armour", good.replace("\n", "\nComment: mine\n\n")],
    ["with letters that are not base64", good.replace("MF", "M!")],
    ["in the letters of the web", good.replaceAll("+", "-").replace("MFkw", "MFk_")],
    ["that is endless", good.replace("\n", "\n".repeat(5000))],
    ["as bare base64", spki.toString("base64")],
    ["as a JWK", JSON.stringify(publicKey.export({ format: "jwk" }))],
  ])("%s", (_what, pem) => {
    expect(readP256Key(pem)).toBeUndefined();
  });
});

test("a compressed point is the same key", () => {
  const y = spki[90] ?? 0;
  const short = Buffer.concat([head, Buffer.from([2 + (y & 1)]), spki.subarray(27, 59)]);
  // The lengths of the two enclosing sequences and of the bit string.
  short[1] = 57;
  short[24] = 34;
  expect(createPublicKey({ key: short, format: "der", type: "spki" }).asymmetricKeyType).toBe("ec");
  const read = readP256Key(wrap(short));
  expect(read && pemOf(read)).toBe(good);
});

test("any encoding of a key gives one text", () => {
  const blank = fc.constantFrom("", " ", "\n", "\r\n", "\t", "\n\n");
  const lineBreak = fc.constantFrom("\n", "\r\n", " \r\n", "\n\n", "\t\n");
  fc.assert(
    fc.property(fc.integer({ min: 4, max: 130 }), lineBreak, blank, blank, (width, end, before, after) => {
      const key = pair().publicKey;
      const lines =
        der(key)
          .toString("base64")
          .match(new RegExp(`.{1,${width}}`, "g")) ?? [];
      const pem = ["-----BEGIN PUBLIC KEY-----", ...lines, "-----END PUBLIC KEY-----"].join(end);
      const read = readP256Key(`${before}${pem}${after}`);
      expect(read && pemOf(read)).toBe(pemOf(key));
    }),
    { numRuns: 200 },
  );
});
