import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostOfRedirect, isAllowedRedirectUri, isLoopbackRedirect, isSameRedirect } from "./redirect-uri.ts";

test.each([
  "https://client.example/callback",
  "https://client.example",
  "https://client.example:8443/callback?tenant=1&x=%20y",
  "HTTPS://Client.Example/Callback",
  "http://localhost/callback",
  "http://localhost:3118/callback",
  "http://127.0.0.1:33418/",
  "http://127.0.0.1",
  "http://[::1]:6274/oauth/callback",
  "cursor://anysphere.cursor-mcp/oauth/callback",
  "claude://claude.ai/mcp-auth-callback/sdk",
  "vscode-insiders://vendor.extension/callback",
  "com.example.app:/oauth/callback",
  "com.example.app:/",
  "com.example.app://callback",
  "com.example.my-app:callback",
])("allows %s", (uri) => {
  expect(isAllowedRedirectUri(uri)).toBe(true);
});

test.each([
  ["attack 1: a script", "javascript:alert(1)"],
  ["attack 2: a script in mixed case", "JaVaScRiPt:alert(1)"],
  ["attack 2: a script behind a space", " javascript:alert(1)"],
  ["attack 2: a script behind a control character", "\u0001javascript:alert(1)"],
  ["attack 2: a script with a tab inside", "java\tscript:alert(1)"],
  ["attack 2: data", "data:text/html,<script>alert(1)</script>"],
  ["attack 2: a file", "file:///etc/passwd"],
  ["attack 3: http on another machine", "http://evil.example/cb"],
  ["attack 4: a user", "https://a@evil.example"],
  ["attack 4: a user and a password", "https://good.example:x@evil.example/"],
  ["attack 4: an empty user", "https://@evil.example/"],
  ["attack 4: a user before this machine", "http://localhost@evil.example/"],
  ["attack 4: a user of a program", "cursor://a@b/callback"],
  ["attack 5: a fragment", "https://client.example/cb#x"],
  ["attack 5: an empty fragment", "https://client.example/cb#"],
  ["attack 6: a name that begins as this machine's", "http://localhost.evil.example/"],
  ["attack 6: a name that resolves to this machine", "http://127.0.0.1.nip.io/"],
  ["attack 6: all addresses of this machine", "http://0.0.0.0/"],
  ["attack 6: this machine as a mapped address", "http://[::ffff:127.0.0.1]/"],
  ["attack 6: this machine in other figures", "http://0x7f.1/"],
  ["attack 6: this machine as one number", "http://2130706433/"],
  ["attack 6: the long form of this machine", "http://[0:0:0:0:0:0:0:1]/"],
  ["attack 6: this machine with a dot behind", "http://localhost./"],
  ["attack 6: this machine, percent-encoded", "http://%6cocalhost/"],
  ["attack 7: a wildcard host", "https://*.example/cb"],
  ["attack 7: a wildcard path", "https://client.example/*"],
  ["a backslash", "https://client.example\\@evil.example/"],
  ["a space", "https://client.example/a b"],
  ["a line break", "https://client.example/\r\nSet-Cookie: x"],
  ["letters of other alphabets", "https://clіent.example/"],
  ["one slash", "https:/client.example/"],
  ["no slash", "https:client.example/"],
  ["three slashes", "https:///client.example/"],
  ["an invalid port", "http://localhost:99999/"],
  ["no scheme", "client.example/callback"],
  ["nothing", ""],
  ["a scheme alone", "cursor:"],
  ["an unknown scheme", "myapp://callback"],
  ["a scheme that only looks turned round", "javascript.:alert(1)"],
  ["one character more than may be", `https://client.example/${"a".repeat(1978)}`],
])("rejects %s", (_what, uri) => {
  expect(isAllowedRedirectUri(uri)).toBe(false);
});

test("allows exactly 2000 characters", () => {
  expect(isAllowedRedirectUri(`https://client.example/${"a".repeat(1977)}`)).toBe(true);
});

test.each([
  ...["claude", "cursor", "goose", "jetbrains", "kiro", "lmstudio", "raycast", "vscode", "vscode-insiders"],
  ...["vscodium", "warp", "windsurf", "zed"],
])("allows the scheme of a known program and not one letter more: %s", (scheme) => {
  expect(isAllowedRedirectUri(`${scheme}://callback`)).toBe(true);
  expect(isAllowedRedirectUri(`${scheme.toUpperCase()}:/callback`)).toBe(true);
  expect(isAllowedRedirectUri(`${scheme}x://callback`)).toBe(false);
});

test.each(["\\", "*", "#", '"', "<", ">", "^", "`", "{", "|", "}", "\u007f", "é"])(
  "rejects %s anywhere in the address",
  (sign) => {
    expect(isAllowedRedirectUri(`https://client.example/a${sign}b`)).toBe(false);
    expect(isAllowedRedirectUri(`cursor://host/a${sign}b`)).toBe(false);
  },
);

test.each([
  "https://client_1.example-x.test/",
  "https://[2001:db8::1]:1/cb",
  "https://client.example?x",
  "com.a-b.c9:/cb",
  "a.b:cb",
  "a9-.b:cb",
  "com.example.app://a/b",
  "com.example.app:?x",
])("also allows %s", (uri) => {
  expect(isAllowedRedirectUri(uri)).toBe(true);
});

test.each([
  "https://client.example:123456/",
  "https://client.example:/",
  "https://client.example:x/",
  "https://client.example;x/",
  "https://client%2eexample/",
  "https://0x7f.1/",
  "xhttps://client.example/",
  "-com.example:/cb",
  "9com.example:/cb",
  "com..example:/cb",
  "com.-example:/cb",
  "com.exa+mple:/cb",
  "com:/cb",
  "com.example.app:",
  "co+m.example:/cb",
  "https:client.example/https://client.example/",
  "cursor://@b/cb",
  "cursor://@b/cursor://x",
  "com.example.app://a@b/c",
  "com.example.app://:x@b/c",
])("also rejects %s", (uri) => {
  expect(isAllowedRedirectUri(uri)).toBe(false);
});

test.each([
  ["https://client.example:8443/cb", "client.example:8443"],
  ["http://localhost/cb", "localhost"],
  ["cursor://anysphere/cb", "anysphere"],
  ["com.example.app:/cb", "com.example.app:"],
])("%s is shown to users as %s", (uri, host) => {
  expect(hostOfRedirect(uri)).toBe(host);
});

const forbidden = [
  ...["javascript", "data", "vbscript", "file", "blob", "about", "filesystem", "view-source", "ws", "wss"],
  ...["ftp", "mailto", "tel", "intent", "chrome", "jar", "ms-settings"],
];
const anyCase = (text: string) =>
  fc
    .array(fc.boolean(), { minLength: text.length, maxLength: text.length })
    .map((upper) => upper.map((is, at) => text.charAt(at)[is ? "toUpperCase" : "toLowerCase"]()).join(""));

test("attack 2: no spelling of a dangerous scheme is allowed, whatever is put before or inside it", () => {
  const unseen = ["\0", "\u0001", "\t", "\n", "\r", " ", "\u00a0", "\u200b", "\u2028", "\ufeff"];
  const noise = fc.array(fc.constantFrom(...unseen), { maxLength: 2 }).map((chosen) => chosen.join(""));
  fc.assert(
    fc.property(
      fc.constantFrom(...forbidden).chain((scheme) => fc.tuple(anyCase(scheme), fc.nat(scheme.length))),
      noise,
      noise,
      fc.string(),
      ([scheme, at], before, within, rest) => {
        const written = `${before}${scheme.slice(0, at)}${within}${scheme.slice(at)}:${rest}`;
        expect(isAllowedRedirectUri(written)).toBe(false);
      },
    ),
  );
});

test("an allowed address is https, this machine, or a program's scheme, to a browser as well as to us", () => {
  const parts = fc.constantFrom(
    ...["http", "https", "HTTP", "cursor", "com.example", "javascript", ":", "/", "//", "@", "#", "?", "\\"],
    ...[
      "localhost",
      "127.0.0.1",
      "[::1]",
      "evil.example",
      "0x7f.1",
      "%40",
      "%2f",
      ".",
      "..",
      ":80",
      " ",
      "\t",
    ],
  );
  const texts = fc.oneof(
    fc.array(parts, { maxLength: 8 }).map((chosen) => chosen.join("")),
    fc.array(parts, { maxLength: 6 }).map((chosen) => `http://localhost${chosen.join("")}`),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      if (!isAllowedRedirectUri(text)) return;
      const { protocol, hostname, username, password, hash } = new URL(text);
      expect([username, password, hash]).toEqual(["", "", ""]);
      if (protocol === "http:") expect(["localhost", "127.0.0.1", "[::1]"]).toContain(hostname);
      else if (protocol !== "https:") expect(protocol).toMatch(/^cursor:$|^[a-z][a-z0-9-]*\.[a-z0-9.-]+:$/);
    }),
    { numRuns: 2000 },
  );
});

describe("a registered address", () => {
  test.each([
    ["http://localhost:5000/callback", "http://localhost/callback"],
    ["http://localhost/callback", "http://localhost:3118/callback"],
    ["http://127.0.0.1:1/", "http://127.0.0.1:33418/"],
    ["http://[::1]:1/cb?x=1", "http://[::1]:2/cb?x=1"],
    ["https://client.example/cb", "https://client.example/cb"],
    ["cursor://host/cb", "cursor://host/cb"],
  ])("%s is the same as %s", (asked, registered) => {
    expect(isSameRedirect(asked, registered)).toBe(true);
  });
  test.each([
    ["attack 18: another path by dots", "http://localhost:1/callback/../evil", "http://localhost:1/callback"],
    [
      "attack 18: dots that come to the same",
      "http://localhost:1/x/../callback",
      "http://localhost:1/callback",
    ],
    ["attack 19: another name of this machine", "http://localhost/cb", "http://127.0.0.1/cb"],
    ["attack 20: a user", "http://localhost:1@evil.example/cb", "http://localhost/cb"],
    ["attack 20: a name that goes on", "http://localhost:1.evil.example/cb", "http://localhost/cb"],
    ["attack 21: another path", "http://localhost:1/other", "http://localhost:1/cb"],
    ["attack 21: another query", "http://localhost:1/cb?x", "http://localhost:1/cb"],
    ["attack 21: a slash more", "http://localhost:1/cb/", "http://localhost:1/cb"],
    ["another port elsewhere", "https://client.example:1/cb", "https://client.example/cb"],
    ["https on this machine with another port", "https://localhost:1/cb", "https://localhost:2/cb"],
    ["another case", "https://client.example/CB", "https://client.example/cb"],
    ["an invalid port", "http://localhost:99999/cb", "http://localhost/cb"],
    ["a fragment", "http://localhost:1/cb#x", "http://localhost:2/cb#x"],
  ])("is not %s", (_what, asked, registered) => {
    expect(isSameRedirect(asked, registered)).toBe(false);
  });
  test("on this machine matches with any port, and nothing else may differ", () => {
    const place = fc.record({
      host: fc.constantFrom("localhost", "127.0.0.1", "[::1]"),
      port: fc.option(fc.nat(65535)),
      path: fc.constantFrom("", "/", "/cb", "/cb?x", "/cb/", "/CB"),
    });
    const write = ({ host, port, path }: { host: string; port: number | null; path: string }) =>
      `http://${host}${port === null ? "" : `:${port}`}${path}`;
    fc.assert(
      fc.property(place, place, (asked, registered) => {
        const isSame = asked.host === registered.host && asked.path === registered.path;
        expect(isSameRedirect(write(asked), write(registered))).toBe(isSame);
      }),
    );
  });
});

test("only the three loopback names count as this machine", () => {
  expect(isLoopbackRedirect("http://localhost:1/cb")).toBe(true);
  expect(isLoopbackRedirect("http://[::1]/")).toBe(true);
  expect(isLoopbackRedirect("https://localhost/cb")).toBe(false);
  expect(isLoopbackRedirect("cursor://localhost/cb")).toBe(false);
  expect(isLoopbackRedirect("http://localhost.evil.example/")).toBe(false);
  expect(isLoopbackRedirect("https://client.example/http://localhost/")).toBe(false);
});
