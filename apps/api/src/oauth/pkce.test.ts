import { describe, expect, test } from "vitest";
import { isCodeChallenge, isCodeVerifier } from "./pkce.ts";

// RFC 7636, appendix B.
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

describe("the form", () => {
  test.each(["", "x".repeat(42), "x".repeat(44), `${"x".repeat(42)}=`, `${"x".repeat(42)}+`])(
    "is not that of a challenge: %s",
    (text) => {
      expect(isCodeChallenge(text)).toBe(false);
    },
  );
  test.each([undefined, "", "x".repeat(42), "x".repeat(129), `${"x".repeat(43)} `, `${"x".repeat(43)}\n`])(
    "is not that of a verifier: %s",
    (text) => {
      expect(isCodeVerifier(text)).toBe(false);
    },
  );
  test("is that of a challenge of 43 characters of base64url", () => {
    for (const text of ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", `_-Aa0${"x".repeat(38)}`])
      expect(isCodeChallenge(text)).toBe(true);
    expect(isCodeChallenge(`${"x".repeat(43)}\n`)).toBe(false);
    expect(isCodeChallenge(` ${"x".repeat(43)}`)).toBe(false);
  });
  test("of a verifier has no prefix and no other character", () => {
    expect(isCodeVerifier(` ${"x".repeat(43)}`)).toBe(false);
    expect(isCodeVerifier(`+${"x".repeat(43)}`)).toBe(false);
  });
  test("is that of a verifier from 43 to 128 characters, including the four special ones", () => {
    for (const text of [verifier, "x".repeat(128), `-._~${"x".repeat(39)}`])
      expect(isCodeVerifier(text)).toBe(true);
  });
});
