import fc from "fast-check";
import { expect, test } from "vitest";
import { answerUri } from "./answer-uri.ts";

const issuer = "https://api.example";

test("the answer is appended to the client's own query, which is unchanged", () => {
  expect(answerUri("https://a.example/cb", issuer, { code: "x" })).toBe(
    "https://a.example/cb?code=x&iss=https%3A%2F%2Fapi.example",
  );
  expect(answerUri("https://a.example/cb?a=%7E+1&b", issuer, { code: "x", state: null })).toBe(
    "https://a.example/cb?a=%7E+1&b&code=x&iss=https%3A%2F%2Fapi.example",
  );
  expect(answerUri("com.example.app:/cb", issuer, { error: "access_denied", state: "a b+c" })).toBe(
    "com.example.app:/cb?error=access_denied&state=a%20b%2Bc&iss=https%3A%2F%2Fapi.example",
  );
});

test("attack 32: parameters that only we may set appear once, however the registered address writes them", () => {
  const uri = "https://a.example/cb?code=mine&c%6Fde=mine&keep=1&iss=evil&state=old&error=none";
  const { searchParams } = new URL(answerUri(uri, issuer, { code: "ours" }));
  expect([...searchParams]).toEqual([
    ["keep", "1"],
    ["code", "ours"],
    ["iss", issuer],
  ]);
});

test.each(["code", "error", "error_description", "error_uri", "state", "iss"])(
  "attack 32: %s of the registered address is dropped",
  (name) => {
    expect(answerUri(`https://a.example/cb?${name}=1&${name}x=2`, issuer, {})).toBe(
      `https://a.example/cb?${name}x=2&iss=https%3A%2F%2Fapi.example`,
    );
  },
);

test("empty parts of the registered query are dropped, and a second question mark stays", () => {
  expect(answerUri("https://a.example/cb?&a=1&&b?c", issuer, { error: "e", error_description: "d" })).toBe(
    "https://a.example/cb?a=1&b?c&error=e&error_description=d&iss=https%3A%2F%2Fapi.example",
  );
});

test("attack 31: any state comes back unchanged, in one line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      fc.pre(text.isWellFormed());
      const uri = answerUri("https://a.example/cb", issuer, { code: "x", state: text });
      expect(uri).toMatch(/^[!-~]+$/);
      expect(new URL(uri).searchParams.get("state")).toBe(text);
      expect(decodeURIComponent(/[?&]state=([^&]*)/.exec(uri)?.[1] ?? "")).toBe(text);
    }),
  );
});
