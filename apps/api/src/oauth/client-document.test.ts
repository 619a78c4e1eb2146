import { describe, expect, test } from "vitest";
import { freshSecondsOf, isDocumentId, readClientDocument } from "./client-document.ts";

const id = "https://client.example/oauth/metadata.json";
const document = { client_id: id, client_name: "A client", redirect_uris: ["http://localhost/callback"] };

describe("the address of a document", () => {
  test.each([
    id,
    "https://claude.ai/oauth/claude-code-client-metadata",
    "https://vscode.dev/oauth/client-metadata.json",
    "https://client.example/a?version=2",
  ])("may be %s", (text) => {
    expect(isDocumentId(text)).toBe(true);
  });
  test.each([
    "https://127.0.0.1/x",
    "https://0x7f.1/x",
    "https://2130706433/x",
    "https://[::1]/x",
    "https://[::ffff:10.0.0.1]/x",
    "https://localhost/x",
    "https://metadata.google.internal/x",
    "https://db.internal/x",
    "https://printer.local/x",
    "https://a.localhost/x",
    "https://router.home.arpa/x",
    "https://db.internal./x",
    "https://client.example:8443/x",
    "https://client.example:443/x",
    "https://user@client.example/x",
    "https://@client.example/x",
    "https://client.example/x#y",
    "https://client.example/x#",
    "https://client.example/a/../x",
    "https://client.example/./x",
    "https://client.example/%2e%2e/x",
    "https://client.example\\x",
    "https://Client.example/x",
    "https://client.example/",
    "https://client.example",
    "http://client.example/x",
    "HTTPS://client.example/x",
    " https://client.example/x",
    `https://client.example/${"x".repeat(2000)}`,
    "client.example/x",
    "",
  ])("attack 114: is not %s", (text) => {
    expect(isDocumentId(text)).toBe(false);
  });
});

describe("a document", () => {
  test("describes a public client", () => {
    expect(readClientDocument(id, { ...document, client_uri: "https://client.example" })).toEqual({
      id,
      registration: "metadata-document",
      secretHash: null,
      authMethod: "none",
      redirectUris: ["http://localhost/callback"],
      name: "A client",
      clientUri: "https://client.example",
    });
  });
  test.each([
    ["that names none as its method", { token_endpoint_auth_method: "none" }],
    [
      "that prefers another method and offers none",
      {
        token_endpoint_auth_method: "private_key_jwt",
        token_endpoint_auth_methods_supported: ["private_key_jwt", "none"],
      },
    ],
    ["with unknown members", { anything: { at: ["all"] } }],
  ])("is accepted %s", (_what, more) => {
    expect(readClientDocument(id, { ...document, ...more }).authMethod).toBe("none");
  });
  test.each([
    ["attack 118: of another address", { client_id: "https://client.example/other" }],
    ["attack 118: of the same address written otherwise", { client_id: `${id}/` }],
    ["attack 118: of no address", { client_id: undefined }],
    ["attack 119: with a secret", { client_secret: "x" }],
    ["attack 119: with an empty secret", { client_secret: "" }],
    ["with a method that we have not", { token_endpoint_auth_method: "private_key_jwt" }],
    ["with a method that needs a secret", { token_endpoint_auth_method: "client_secret_post" }],
    ["with a forbidden redirect URI", { redirect_uris: ["https://ok.example/", "javascript:alert(1)"] }],
    ["with no place", { redirect_uris: [] }],
    ["with a page that is a script", { client_uri: "javascript:alert(1)" }],
  ])("is rejected %s", (_what, more) => {
    expect(() => readClientDocument(id, { ...document, ...more })).toThrow();
  });
  test.each([null, [], "text", 1])("is rejected if it is not an object: %j", (other) => {
    expect(() => readClientDocument(id, other)).toThrow();
  });
});

test.each([
  ["", 300],
  ["max-age=3600", 3600],
  ["public, Max-Age=3600, immutable", 3600],
  ["max-age=0", 300],
  ["max-age=60", 300],
  ["max-age=31536000", 86_400],
  ["max-age=999999999999", 86_400],
  ["no-store", 300],
  ["no-cache, max-age=3600", 300],
  ["s-maxage=7200", 300],
  ["max-age=-1", 300],
  ["nonsense", 300],
])("%j caches a document for %i seconds", (cacheControl, seconds) => {
  expect(freshSecondsOf(cacheControl)).toBe(seconds);
});
