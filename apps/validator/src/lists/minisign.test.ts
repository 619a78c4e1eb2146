import { describe, expect, test } from "vitest";
import { makeTestKey } from "../../test/minisign.ts";
import { readListKey, verifyMinisign, type ListKey } from "./minisign.ts";

const keyOf = (text: string): ListKey => {
  const key = readListKey(text);
  if (key === null) throw new Error("not a key");
  return key;
};

/** Made by the tool itself, over the four letters "test". */
const known = {
  key: "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3",
  signature: [
    "untrusted comment: signature from minisign secret key",
    "RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=",
    "trusted comment: timestamp:1633700835\tfile:test\tprehashed",
    "wLMDjy9FLAuxZ3q4NlEvkgtyhrr0gtTu6KC4KBJdITbbOeAi1zBIYo0v4iTgt8jJpIidRJnp94ABQkJAgAooBQ==",
  ].join("\n"),
};

describe("minisign", () => {
  test("accepts a signature of the tool itself", () => {
    const verified = verifyMinisign(Buffer.from("test"), known.signature, [keyOf(known.key)]);
    expect(verified).toEqual({ keyId: "E7620F1842B4E81F" });
  });

  test.each([true, false])(
    "accepts a signature over the content (hashed: %s) by one of several keys",
    (isHashed) => {
      const [one, other] = [makeTestKey(), makeTestKey()];
      const keys = [keyOf(one.publicKey), keyOf(other.publicKey)];
      expect(verifyMinisign(Buffer.from("a"), other.sign("a", { isHashed }), keys)).toEqual({
        keyId: other.id,
      });
    },
  );

  const key = makeTestKey();
  const signature = key.sign("a");
  const lines = signature.split("\n");
  test.each([
    ["other content", "b", signature, "does not match"],
    ["another trusted comment", "a", signature.replace("timestamp:179", "timestamp:180"), "does not match"],
    ["an unknown key", "a", makeTestKey().sign("a"), "unknown key"],
    [
      "the id of a known key with another signature",
      "a",
      withIdOf(signature, makeTestKey().sign("a")),
      "does not match",
    ],
    ["an empty text", "a", "", "malformed"],
    ["a text of another tool", "a", "-----BEGIN PGP SIGNATURE-----", "malformed"],
    ["a signature that is cut off", "a", lines.slice(0, 2).join("\n"), "malformed"],
    [
      "a signature that is not base64",
      "a",
      signature.replace(lines[1] ?? "", `${lines[1] ?? ""}!`),
      "malformed",
    ],
  ])("refuses %s", (_, content, text, fault) => {
    expect(verifyMinisign(Buffer.from(content), text, [keyOf(key.publicKey)])).toEqual({
      fault: expect.stringContaining(fault) as string,
    });
  });

  test.each([
    "",
    "abc",
    `${key.publicKey}A`,
    Buffer.alloc(42).toString("base64"),
    key.publicKey.slice(0, -1),
  ])("does not read %j as a key", (text) => {
    expect(readListKey(text)).toBeNull();
  });
});

/** The signature of one key under the id of another. */
function withIdOf(known: string, other: string): string {
  const bytesOf = (text: string): Buffer => Buffer.from(text.split("\n")[1] ?? "", "base64");
  const mixed = Buffer.concat([bytesOf(known).subarray(0, 10), bytesOf(other).subarray(10)]);
  return other.replace(other.split("\n")[1] ?? "", mixed.toString("base64"));
}
