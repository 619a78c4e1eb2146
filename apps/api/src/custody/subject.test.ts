import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { CosignerKey } from "./cosigner-key.ts";
import { Subject } from "./subject.ts";

const good = { commonName: "My agent", organization: "Acme", country: "CH" };
const isGood = (more: object): boolean => Subject.safeParse({ ...good, ...more }).success;

describe("a subject", () => {
  test("needs a name, an organization and a country", () => {
    expect(Subject.parse(good)).toEqual(good);
    for (const member of Object.keys(good)) expect(isGood({ [member]: undefined })).toBe(false);
  });
  test("is trimmed, and its country is upper-cased", () => {
    expect(Subject.parse({ ...good, commonName: " a b\t", country: "de" })).toMatchObject({
      commonName: "a b",
      country: "DE",
    });
  });
  test.each(["", "C", "CHE", "1A", "ÄÖ", " CH", "ＣＨ", null, 7])("rejects the country %j", (country) => {
    expect(isGood({ country })).toBe(false);
  });
  const members = { commonName: 64, organization: 64, organizationalUnit: 64, state: 128, locality: 128 };
  test.each(Object.entries(members))(
    "accepts a %s of one to %i characters, in any script",
    (member, most) => {
      for (const letter of ["a", "東", "🙂"]) {
        expect(isGood({ [member]: letter.repeat(most) })).toBe(true);
        expect(isGood({ [member]: letter.repeat(most + 1) })).toBe(false);
      }
      expect(isGood({ [member]: "" })).toBe(false);
      expect(isGood({ [member]: " \t " })).toBe(false);
    },
  );
  test.each(["a\0b", "a\nb", "a\u001bb", "a\u007fb", "a\u0085b", "a\ud83d", "\ude42a"])(
    "rejects a name with non-text characters: %j",
    (text) => {
      for (const member of Object.keys(members)) expect(isGood({ [member]: text })).toBe(false);
    },
  );
  test.each(["a@b.example", `"x,y"+z=#@example.org`, `${"a".repeat(249)}@b.com`])(
    "accepts an e-mail address %s",
    (email) => {
      expect(isGood({ email })).toBe(true);
    },
  );
  test.each([
    "",
    "a",
    "@b",
    "a@",
    "a b@c",
    "ü@b.example",
    "a@ü.example",
    "a@b@c",
    `${"a".repeat(250)}@b.com`,
  ])("rejects the e-mail address %j", (email) => {
    expect(isGood({ email })).toBe(false);
  });
});

describe("a co-signer's key", () => {
  const rsa = (modulusLength: number, publicExponent = 65_537) =>
    generateKeyPairSync("rsa", { modulusLength, publicExponent });
  const pem = { format: "pem", type: "spki" } as const;
  const isKey = (text: string): boolean => CosignerKey.safeParse(text).success;
  const { publicKey, privateKey } = rsa(2048);
  const text = publicKey.export(pem).toString();

  test("is an RSA public key, normalised to one text", () => {
    expect(CosignerKey.parse(text)).toBe(text);
    expect(CosignerKey.parse(`\n${text.replaceAll("\n", "\r\n")}\n`)).toBe(text);
  });
  test.each([
    ["too short", rsa(1024).publicKey.export(pem)],
    ["with a weak exponent", rsa(2048, 3).publicKey.export(pem)],
    ["of another kind", generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey.export(pem)],
    ["for PSS only", generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).publicKey.export(pem)],
    ["a private one", privateKey.export({ format: "pem", type: "pkcs8" })],
    [
      "a private one, labelled otherwise",
      privateKey.export({ format: "pem", type: "pkcs8" }).toString().replaceAll("PRIVATE", "PUBLIC"),
    ],
    ["in another form", publicKey.export({ format: "pem", type: "pkcs1" })],
    ["two", text + text],
    ["with something after it", `${text}x`],
    ["none", "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----"],
    ["empty", ""],
  ])("is rejected %s", (_, other) => {
    expect(isKey(other.toString())).toBe(false);
  });
});
