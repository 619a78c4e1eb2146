import { expect, test } from "vitest";
import { answersS256 } from "./sha256.ts";

// RFC 7636, appendix B.
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

test("only the standard's verifier answers its challenge", () => {
  expect(answersS256(challenge, verifier)).toBe(true);
  for (const other of [challenge, `${verifier}x`, verifier.toLowerCase(), ""])
    expect(answersS256(challenge, other)).toBe(false);
});
