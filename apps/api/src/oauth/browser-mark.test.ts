import { describe, expect, test } from "vitest";
import { makeBrowserMark } from "./browser-mark.ts";

describe.each([
  [
    "https://api.example",
    /^__Host-oauth_txn=([\w-]{43}); Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  ],
  ["http://127.0.0.1:3000", /^oauth_txn=([\w-]{43}); Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/],
])("at %s", (baseUrl, form) => {
  const mark = makeBrowserMark({ baseUrl });
  test("a browser gets a cookie and is recognised by it, whatever other cookies it has", () => {
    const { hash, cookie } = mark.give({}, 600);
    expect(cookie).toMatch(form);
    const [pair = ""] = cookie.split(";");
    expect(mark.isOf({ cookie: pair }, hash)).toBe(true);
    expect(mark.isOf({ cookie: `a=b; ${pair}; c=d` }, hash)).toBe(true);
  });
  test("a browser that has one keeps it, so that two requests for access do not interfere", () => {
    const first = mark.give({}, 600);
    const [cookie = ""] = first.cookie.split(";");
    expect(mark.give({ cookie }, 600)).toEqual(first);
  });
  test("no other cookie is accepted: missing, different, partial, or under another name", () => {
    const { hash, cookie } = mark.give({}, 600);
    const [pair = ""] = cookie.split(";");
    for (const other of [
      undefined,
      "",
      mark.give({}, 600).cookie,
      pair.slice(0, -1),
      `${pair}x`,
      `x${pair}`,
      pair.replace("oauth_txn", "other"),
    ])
      expect(mark.isOf({ cookie: other }, hash), other).toBe(false);
  });
  test("a malformed cookie is replaced", () => {
    expect(mark.give({ cookie: "oauth_txn=short; __Host-oauth_txn=short" }, 600).cookie).toMatch(form);
  });
});
