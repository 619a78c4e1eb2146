import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isPublicAddress } from "../public-web/index.ts";
import { makeReadClientDocument } from "./client-documents.ts";

const host = "documents.example";
const document = { client_id: "x", client_name: "A client" };

/** The server's answer at each path. */
const answers: Record<string, (answer: ServerResponse) => void> = {
  "/good": (answer) => {
    answer.writeHead(200, { "content-type": "application/json", "cache-control": "max-age=600" });
    answer.end(JSON.stringify(document));
  },
  "/good-too": (answer) => {
    answer.writeHead(200, { "content-type": "application/client+json; charset=utf-8" });
    answer.end(JSON.stringify(document));
  },
  "/redirect": (answer) => answer.writeHead(302, { location: `/good` }).end(),
  "/gone": (answer) =>
    answer.writeHead(404, { "content-type": "application/json" }).end(JSON.stringify(document)),
  "/page": (answer) => answer.writeHead(200, { "content-type": "text/html" }).end(JSON.stringify(document)),
  "/json-in-name-only": (answer) =>
    answer.writeHead(200, { "content-type": "application/jsonx" }).end(JSON.stringify(document)),
  "/broken": (answer) => answer.writeHead(200, { "content-type": "application/json" }).end("{"),
  "/long": (answer) => {
    answer.writeHead(200, { "content-type": "application/json" });
    answer.end(JSON.stringify({ text: "x".repeat(1024 * 1024) }));
  },
  "/just-too-long": (answer) => {
    answer.writeHead(200, { "content-type": "application/json" });
    answer.end(JSON.stringify("x".repeat(10 * 1024 - 1)));
  },
  "/just-not-too-long": (answer) => {
    answer.writeHead(200, { "content-type": "application/json" });
    answer.end(JSON.stringify("x".repeat(10 * 1024 - 2)));
  },
  "/slow": (answer) => {
    answer.writeHead(200, { "content-type": "application/json" });
    const drip = setInterval(() => answer.write(" "), 20);
    answer.on("close", () => {
      clearInterval(drip);
    });
  },
  "/silent": () => undefined,
};

let folder: string;
let certificate: string;
let server: Server;
let asked: string[] = [];
let connections = 0;
let origin: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "client-documents-"));
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const about = ["-subj", `/CN=${host}`, "-addext", `subjectAltName=DNS:${host}`, "-days", "1"];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  execFileSync("openssl", ["req", "-x509", ...made, "-keyout", key, "-out", cert, ...about], {
    stdio: "ignore",
  });
  certificate = readFileSync(cert, "utf8");
  server = createServer({ key: readFileSync(key), cert: certificate }, (request, answer) => {
    asked.push(request.url ?? "");
    answers[request.url ?? ""]?.(answer);
  });
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `https://${host}:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

type Options = NonNullable<Parameters<typeof makeReadClientDocument>[0]>;
const resolvesTo =
  (...addresses: string[]) =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
/** Treats this machine's address as public and changes nothing else. */
const reader = (more: Options = {}) =>
  makeReadClientDocument({
    isAllowed: (address) => address === "127.0.0.1" || isPublicAddress(address),
    resolve: resolvesTo("127.0.0.1"),
    certificate,
    ...more,
  });

describe("reads", () => {
  test("a document, and how long its server wants it cached", async () => {
    expect(await reader()(`${origin}/good`)).toEqual({ document, cacheControl: "max-age=600" });
  });
  test("other JSON media types, and a document without Cache-Control", async () => {
    expect(await reader()(`${origin}/good-too`)).toEqual({ document, cacheControl: "" });
  });
  test("a document of the maximum length", async () => {
    await expect(reader()(`${origin}/just-not-too-long`)).resolves.toBeDefined();
  });
});

describe("refuses", () => {
  test.each([
    ["attack 116: a redirect", "/redirect", "answered 302"],
    ["attack 117: a long document", "/long", "longer than"],
    ["attack 117: one that is a byte too long", "/just-too-long", "longer than"],
    ["an error", "/gone", "answered 404"],
    ["a page", "/page", "not JSON"],
    ["what only looks like JSON by its name", "/json-in-name-only", "not JSON"],
    ["broken JSON", "/broken", "JSON"],
  ])("%s", async (_what, path, why) => {
    asked = [];
    await expect(reader()(`${origin}${path}`)).rejects.toThrow(why);
    expect(asked).toEqual([path]);
  });
  test.each(["/slow", "/silent"])("attack 117: a slow server: %s", async (path) => {
    const { promise: late, resolve } = Promise.withResolvers<string>();
    const timer = setTimeout(() => {
      resolve("not refused in time");
    }, 5000);
    const refused = reader({ totalMs: 200 })(`${origin}${path}`).then(
      () => "read",
      () => "refused",
    );
    expect(await Promise.race([refused, late])).toBe("refused");
    clearTimeout(timer);
  });
  test("an untrusted certificate, or one for another name", async () => {
    const { certificate: _ours, ...unknown } = { certificate, resolve: resolvesTo("127.0.0.1") };
    await expect(
      makeReadClientDocument({ ...unknown, isAllowed: () => true })(`${origin}/good`),
    ).rejects.toThrow();
    await expect(reader()(`${origin.replace(host, "other.example")}/good`)).rejects.toThrow();
  });
  test("other schemes than https", async () => {
    await expect(reader()(`http://${host}/good`)).rejects.toThrow("not https");
  });
});

describe("contacts no private address", () => {
  const before = () => ((connections = 0), undefined);
  test.each([
    "127.0.0.1",
    "0x7f.1",
    "2130706433",
    "[::1]",
    "[::ffff:10.0.0.1]",
    "169.254.169.254",
    "10.0.0.1",
  ])("attack 114: given as an IP address: %s", async (number) => {
    before();
    const address = `${origin.replace(host, number)}/good`;
    await expect(makeReadClientDocument({ certificate })(address)).rejects.toThrow("is not public");
    expect(connections).toBe(0);
  });
  test.each([
    ["the cloud's metadata address", ["169.254.169.254"]],
    ["this machine", ["127.0.0.1"]],
    ["this machine, mapped", ["::ffff:127.0.0.1"]],
    ["a public address and this machine", ["1.1.1.1", "127.0.0.1"]],
    ["this machine and a public address", ["127.0.0.1", "1.1.1.1"]],
    ["no address", []],
  ])("attack 115: by a name that resolves to %s", async (_what, addresses) => {
    before();
    const read = makeReadClientDocument({ certificate, resolve: resolvesTo(...addresses) });
    await expect(read(`${origin}/good`)).rejects.toThrow("no public address");
    expect(connections).toBe(0);
  });
  test("attack 115: by a name that resolves differently the second time", async () => {
    let times = 0;
    const read = reader({
      resolve: () => resolvesTo(++times === 1 ? "127.0.0.1" : "10.0.0.1")(),
    });
    await expect(read(`${origin}/good`)).resolves.toMatchObject({ document });
    expect(times).toBe(1);
    await expect(read(`${origin}/good`)).rejects.toThrow("no public address");
  });
  test("by a name that does not resolve, or that only this machine knows", async () => {
    const read = reader({ resolve: () => Promise.reject(new Error("no such name")) });
    await expect(read(`${origin}/good`)).rejects.toThrow("no such name");
    before();
    const address = `${origin.replace(host, "localhost")}/good`;
    await expect(makeReadClientDocument({ certificate })(address)).rejects.toThrow();
    expect(connections).toBe(0);
  });
});
