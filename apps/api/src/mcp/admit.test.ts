import { describe, expect, test } from "vitest";
import { makeAdmit } from "./admit.ts";

const isAdmitted = (
  baseUrl: string,
  headers: Record<string, string>,
  origins: readonly string[] = [],
): boolean => {
  try {
    makeAdmit({ baseUrl, origins })(headers);
    return true;
  } catch {
    return false;
  }
};

describe("a host", () => {
  test.each([
    ["https://api.example", "api.example", true],
    ["https://api.example", "API.example", true],
    ["https://api.example", "api.example:443", true],
    ["https://api.example", "api.example:80", false],
    ["https://api.example", "localhost", false],
    ["https://api.example", "xapi.example", false],
    ["https://api.example", "api.example.", false],
    ["https://api.example", "", false],
    ["https://api.example:8443", "api.example:8443", true],
    ["https://api.example:8443", "api.example", false],
    ["http://127.0.0.1:3000", "127.0.0.1:3000", true],
    ["http://127.0.0.1:3000", "localhost:3000", true],
    ["http://localhost:3000", "[::1]:3000", true],
    ["http://127.0.0.1:3000", "localhost:3001", false],
    ["http://127.0.0.1:3000", "evil.example:3000", false],
    ["http://127.0.0.1", "localhost", true],
  ])("of %s requested as %j is ours: %s", (baseUrl, host, isOurs) => {
    expect(isAdmitted(baseUrl, { host })).toBe(isOurs);
  });
  test("must be named", () => {
    expect(isAdmitted("https://api.example", {})).toBe(false);
  });
});

describe("a page", () => {
  const host = "api.example";
  const ofPage = (origin: string): boolean =>
    isAdmitted("https://api.example", { host, origin }, ["https://ui.example"]);
  test.each([
    "https://ui.example",
    "http://localhost:6274",
    "http://127.0.0.1:1",
    "https://localhost",
    "http://[::1]:5",
  ])("of %s may call", (origin) => {
    expect(ofPage(origin)).toBe(true);
  });
  test.each([
    "null",
    "",
    "https://evil.example",
    "https://ui.example.evil",
    "http://ui.example",
    "https://ui.example:444",
    "http://localhost.evil.example",
    "http://127.0.0.1.nip.io",
    "http://localhost:1/path",
    "http://user@localhost:1",
    "localhost:6274",
    "file://",
    "https://ui.example, https://evil.example",
  ])("of %j may not", (origin) => {
    expect(ofPage(origin)).toBe(false);
  });
});
