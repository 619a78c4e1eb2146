import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { answersChallenge, isWellFormedCode, makeCode, presentable } from "./connection-code.ts";

test("a code is 32 hexadecimal characters, and no two are equal", () => {
  const codes = Array.from({ length: 1000 }, makeCode);
  expect(codes.every(isWellFormedCode)).toBe(true);
  expect(new Set(codes).size).toBe(1000);
});

test.each(["", "0".repeat(31), "0".repeat(33), "A".repeat(32), `${"0".repeat(32)}\n`])(
  "%j is malformed",
  (text) => {
    expect(isWellFormedCode(text)).toBe(false);
  },
);

test("only its verifier answers a challenge; without a challenge, any request passes", () => {
  const challenge = createHash("sha256").update("verifier").digest("base64url");
  expect(answersChallenge(challenge, "verifier")).toBe(true);
  expect(answersChallenge(challenge, challenge)).toBe(false);
  expect(answersChallenge(challenge, "")).toBe(false);
  expect(answersChallenge(challenge, undefined)).toBe(false);
  expect(answersChallenge(null, undefined)).toBe(true);
});

test("reduces a user agent to a short line of ASCII", () => {
  expect(presentable("agent/1.0 (\u202eevil\u0007)")).toBe("agent/1.0 (?evil?)");
  expect(presentable("x".repeat(10_000))).toHaveLength(256);
});

test("neither the challenge itself nor a verifier that differs in one character answers it", () => {
  const verifier = "v".repeat(43);
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  expect(answersChallenge(challenge, verifier)).toBe(true);
  for (const other of [challenge, `${verifier}v`, verifier.slice(1), `w${verifier.slice(1)}`, "", undefined])
    expect(answersChallenge(challenge, other)).toBe(false);
});
