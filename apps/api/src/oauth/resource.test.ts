import { expect, test } from "vitest";
import { oauthErrors } from "./errors.ts";
import { makeCheckResource } from "./resource.ts";

const check = makeCheckResource({ baseUrl: "https://api.example" });
const refused = (resource: string | readonly string[], at = check) => {
  expect(() => {
    at(resource);
  }).toThrow(expect.objectContaining({ code: oauthErrors.invalidTarget.code }) as Error);
};

test.each([
  undefined,
  "",
  "https://api.example/mcp",
  "https://api.example/mcp/",
  "https://api.example",
  "https://api.example/",
  "HTTPS://API.Example/mcp",
  "https://api.example:443/mcp",
])("accepts %j for this server", (resource) => {
  check(resource);
});
test("accepts several that are this server", () => {
  check(["https://api.example/mcp", "https://api.example"]);
});

test.each([
  ["attack 26: another server", "https://evil.example/mcp"],
  ["attack 27: a fragment", "https://api.example/mcp#x"],
  ["attack 27: an empty fragment", "https://api.example/mcp#"],
  ["another path", "https://api.example/other"],
  ["another case of the path", "https://api.example/MCP"],
  ["a query", "https://api.example/mcp?x"],
  ["a path by dots", "https://api.example/x/../mcp"],
  ["another scheme", "http://api.example/mcp"],
  ["another port", "https://api.example:8443/mcp"],
  ["a user", "https://a@api.example/mcp"],
  ["a name that begins the same", "https://api.example.evil.example/mcp"],
  ["a backslash", "https://api.example\\mcp"],
  ["two slashes", "https://api.example/mcp//"],
  ["no address", "mcp"],
])("rejects %s", (_what, resource) => {
  refused(resource);
});

test.each([
  ["text before it", "xhttps://api.example/mcp"],
  ["a space after it", "https://api.example/mcp "],
  ["a line feed after it", "https://api.example/mcp\n"],
  ["a path without a slash", "https://api.examplemcp"],
  ["only a scheme", "https://"],
  ["a slash before the path", "https://api.example//mcp"],
])("also rejects %s", (_what, resource) => {
  refused(resource);
});

test("a base URL that ends in a slash is the same server", () => {
  const at = makeCheckResource({ baseUrl: "https://api.example/base/" });
  for (const end of ["", "/", "/mcp", "/mcp/"]) at(`https://api.example/base${end}`);
  refused("https://api.example/base//mcp", at);
});

test("rejects an empty name next to another server, and accepts an empty list", () => {
  refused(["", "https://evil.example/mcp"]);
  check([]);
  check(["", "https://api.example/mcp"]);
});

test("rejects several of which one is another server", () => {
  refused(["https://api.example/mcp", "https://evil.example/mcp"]);
});

test("also works for a server with a path and a port", () => {
  const at = makeCheckResource({ baseUrl: "http://127.0.0.1:3000/api" });
  at("http://127.0.0.1:3000/api/mcp");
  at("http://127.0.0.1:3000/api");
  refused("http://127.0.0.1:3000/mcp", at);
  refused("http://127.0.0.1:3001/api/mcp", at);
});
