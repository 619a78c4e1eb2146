import { describe, expect, test } from "vitest";
import { makeSignInPages, refuseMessage } from "./sign-in-policy.ts";
import type { SiweMessage } from "./siwe-message.ts";

const now = new Date("2026-01-01T12:00:00Z");
const minutes = (count: number): Date => new Date(now.getTime() + count * 60_000);
const message: SiweMessage = {
  scheme: undefined,
  domain: "app.example",
  address: "0xd8da6bf26964af9d7eed9e03e53415d37aa96045",
  uri: "https://app.example/sign-in",
  chainId: 1,
  nonce: "0123456789abcdef",
  issuedAt: now,
  expirationTime: undefined,
  notBefore: undefined,
};
const live = makeSignInPages({ baseUrl: "https://api.example", others: ["https://app.example"] });
const local = makeSignInPages({ baseUrl: "http://127.0.0.1:3000", others: ["http://127.0.0.1:5173"] });

describe("a message", () => {
  test.each([
    ["of the web app", {}],
    ["of the service itself", { domain: "api.example", uri: "https://api.example" }],
    ["a little ahead of our clock", { issuedAt: minutes(0.9) }],
    ["exactly as far ahead as clocks may differ", { issuedAt: minutes(1) }],
    ["exactly as old as it may be", { issuedAt: minutes(-10) }],
    ["of our page, by name", { scheme: "https" }],
    ["that expires in a millisecond", { expirationTime: new Date(now.getTime() + 1) }],
    ["that expires in a second", { expirationTime: new Date(now.getTime() + 1000) }],
    ["that holds from a minute ahead", { notBefore: minutes(1) }],
  ])("%s may sign in", (_, more) => {
    expect(refuseMessage({ ...message, ...more }, live, now)).toBeUndefined();
  });

  test.each<[string, Partial<SiweMessage>, string]>([
    ["for another domain", { domain: "evil.example" }, "domain"],
    ["for a domain that only begins like ours", { domain: "app.example.evil.example" }, "domain"],
    ["for a domain that only ends like ours", { domain: "evilapp.example" }, "domain"],
    ["for a domain below ours", { domain: "x.app.example" }, "domain"],
    ["for a domain with a dot before ours", { domain: ".app.example" }, "domain"],
    ["for a domain with a dot after ours", { domain: "app.example." }, "domain"],
    ["for a domain that is the end of ours", { domain: "pp.example" }, "domain"],
    ["for a domain that differs in a letter", { domain: "apq.example" }, "domain"],
    ["for our domain in capitals", { domain: "APP.example" }, "domain"],
    ["for no domain", { domain: "" }, "domain"],
    ["for a page whose host only ends like ours", { uri: "https://evilapp.example/" }, "uri"],
    ["for a page on a host below ours", { uri: "https://x.app.example/" }, "uri"],
    ["for a page that differs in a letter", { uri: "https://apq.example/" }, "uri"],
    ["for our page without encryption", { uri: "http://app.example/" }, "uri"],
    ["that is one second too old", { issuedAt: new Date(now.getTime() - 10 * 60_000 - 1000) }, "issued at"],
    ["that is one second too far ahead", { issuedAt: new Date(now.getTime() + 60_000 + 1000) }, "issued at"],
    ["that expired a second ago", { expirationTime: new Date(now.getTime() - 1000) }, "expired"],
    ["that holds a second too late", { notBefore: new Date(now.getTime() + 61_000) }, "not before"],
    ["that is one millisecond too old", { issuedAt: new Date(now.getTime() - 10 * 60_000 - 1) }, "issued at"],
    ["that is one millisecond too far ahead", { issuedAt: new Date(now.getTime() + 60_001) }, "issued at"],
    ["that holds a millisecond too late", { notBefore: new Date(now.getTime() + 60_001) }, "not before"],
    ["for our page with a name before it", { uri: "https://me@app.example/" }, "uri"],
    ["for a page that cannot be read", { uri: "app.example" }, "uri"],
    ["for our domain with another scheme", { scheme: "ftp" }, "domain"],
    ["for our domain without encryption", { scheme: "http" }, "domain"],
    ["for our domain on another port", { domain: "app.example:8443" }, "domain"],
    ["for another page", { uri: "https://evil.example/" }, "uri"],
    ["for a page whose host only looks like ours", { uri: "https://app.example@evil.example/" }, "uri"],
    ["for a malformed page", { uri: "javascript:alert(1)" }, "uri"],
    [
      "for this machine, at a service that is elsewhere",
      { domain: "localhost:3000", scheme: "http" },
      "domain",
    ],
    ["that is old", { issuedAt: minutes(-11) }, "issued at"],
    ["from the future", { issuedAt: minutes(2) }, "issued at"],
    ["that has expired", { expirationTime: now }, "expired"],
    ["that does not hold yet", { notBefore: minutes(5) }, "not before"],
  ])("%s may not", (_, more, reason) => {
    expect(refuseMessage({ ...message, ...more }, live, now)).toBe(reason);
  });

  test.each(["localhost:9", "127.0.0.1:5173", "[::1]:3000", "localhost"])(
    "of this machine may sign in at a service on it: %s",
    (domain) => {
      expect(
        refuseMessage({ ...message, scheme: "http", domain, uri: `http://${domain}/` }, local, now),
      ).toBeUndefined();
    },
  );

  test.each([
    ["another scheme", { scheme: "ftp", domain: "localhost:9", uri: "http://localhost:9/" }, "domain"],
    ["another machine", { scheme: "http", domain: "apq.example", uri: "http://localhost:9/" }, "domain"],
    ["a page elsewhere", { scheme: "http", domain: "localhost:9", uri: "http://apq.example/" }, "uri"],
    ["encryption", { scheme: "https", domain: "localhost:9", uri: "https://localhost:9/" }, undefined],
  ] as const)("of this machine, at a service on it, with %s", (_, more, reason) => {
    expect(refuseMessage({ ...message, ...more }, local, now)).toBe(reason);
  });

  test("of a page without TLS may sign in at that page, with or without TLS", () => {
    const plain = makeSignInPages({ baseUrl: "http://intranet.example", others: [] });
    const sent = { ...message, domain: "intranet.example" };
    for (const scheme of ["http", "https"])
      expect(
        refuseMessage({ ...sent, scheme, uri: `${scheme}://intranet.example/` }, plain, now),
      ).toBeUndefined();
  });

  const mixed = makeSignInPages({ baseUrl: "https://api.example", others: ["http://localhost:5173"] });
  test.each([
    ["localhost:5173", undefined],
    ["localhost:5174", "domain"],
    ["localhost", "domain"],
    ["127.0.0.1:5173", "domain"],
    ["[::1]:5173", "domain"],
  ])("of this machine, at a public service with a web app on localhost:5173: %s", (domain, reason) => {
    const sent = { ...message, scheme: "http", domain, uri: `http://${domain}/` };
    expect(refuseMessage(sent, mixed, now)).toBe(reason);
  });

  test.each(["localhost:9", "127.0.0.1:9"])(
    "of this machine may sign in at a service on it whose web app is elsewhere: %s",
    (domain) => {
      const pages = makeSignInPages({ baseUrl: "http://localhost:3000", others: ["https://app.example"] });
      const sent = { ...message, scheme: "http", domain, uri: `http://${domain}/` };
      expect(refuseMessage(sent, pages, now)).toBeUndefined();
    },
  );
});
