import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { onwardAddress } from "./onward.ts";

describe("onwardAddress", () => {
  test.each([
    ["https://app.example/cb?code=1&state=2", "https://app.example/cb"],
    ["https://app.example/cb?keep=1&code=1", "https://app.example/cb?keep=1"],
    ["http://127.0.0.1:4567/callback?error=access_denied", "http://127.0.0.1:4567/callback"],
    ["http://[::1]:4567/?code=1", "http://[::1]:4567/"],
    ["cursor://anysphere.cursor-mcp/oauth?code=1", "cursor://anysphere.cursor-mcp/oauth"],
    ["com.example.app:/done?code=1", "com.example.app:/done"],
  ])("accepts %s for %s", (redirectUrl, announced) => {
    expect(onwardAddress(redirectUrl, announced)).toBe(redirectUrl);
  });
  test.each([
    ["another host", "https://evil.example/cb?code=1", "https://app.example/cb"],
    [
      "a host that only looks like it",
      "https://app.example@evil.example/cb?code=1",
      "https://app.example/cb",
    ],
    ["another port", "http://127.0.0.1:1/callback?code=1", "http://127.0.0.1:4567/callback"],
    ["another path", "https://app.example/else?code=1", "https://app.example/cb"],
    ["another scheme", "http://app.example/cb?code=1", "https://app.example/cb"],
    ["another application", "vscode://x/oauth?code=1", "cursor://x/oauth"],
    ["no address", "not an address", "https://app.example/cb"],
  ])("refuses %s", (_, redirectUrl, announced) => {
    expect(onwardAddress(redirectUrl, announced)).toBeUndefined();
  });
  test.each([
    "javascript:alert(1)",
    " JavaScript:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,x",
    "blob:https://a/b",
  ])("refuses %j even if it was registered", (address) => {
    expect(onwardAddress(address, address)).toBeUndefined();
  });
  test("returns undefined or an address under the registered one", () => {
    const announced = "https://app.example/cb";
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string()), (redirectUrl) => {
        const onward = onwardAddress(redirectUrl, announced);
        expect(onward === undefined || onward.startsWith(announced)).toBe(true);
      }),
    );
  });
});
