import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { answersChallenge, isWellFormedCode, makeCode, presentable } from "./connection-code.ts";

test("a code is 32 hexadecimal characters, and no two are alike", () => {
  const codes = Array.from({ length: 1000 }, makeCode);
  expect(codes.every(isWellFormedCode)).toBe(true);
  expect(new Set(codes).size).toBe(1000);
});

test.each(["", "0".repeat(31), "0".repeat(33), "A".repeat(32), `${"0".repeat(32)}\n`])(
  "%j is no code",
  (text) => {
    expect(isWellFormedCode(text)).toBe(false);
  },
);

test("a challenge is answered by its verifier only; without one there is nothing to answer", () => {
  const challenge = createHash("sha256").update("verifier").digest("base64url");
  expect(answersChallenge(challenge, "verifier")).toBe(true);
  expect(answersChallenge(challenge, challenge)).toBe(false);
  expect(answersChallenge(challenge, "")).toBe(false);
  expect(answersChallenge(challenge, undefined)).toBe(false);
  expect(answersChallenge(null, undefined)).toBe(true);
});

test("of a stranger's user agent no more is shown than a short line of ASCII", () => {
  expect(presentable("agent/1.0 (\u202eevil\u0007)")).toBe("agent/1.0 (?evil?)");
  expect(presentable("x".repeat(10_000))).toHaveLength(256);
});

test("a challenge is not answered by itself, nor by a verifier that differs in one character", () => {
  const verifier = "v".repeat(43);
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  expect(answersChallenge(challenge, verifier)).toBe(true);
  for (const other of [challenge, `${verifier}v`, verifier.slice(1), `w${verifier.slice(1)}`, "", undefined])
    expect(answersChallenge(challenge, other)).toBe(false);
});
