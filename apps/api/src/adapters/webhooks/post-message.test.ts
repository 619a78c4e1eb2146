import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isPostable, makePostMessage } from "./post-message.ts";

const message = { headers: { "content-type": "application/json", "webhook-id": "msg_1" }, body: '{"a":1}' };

/** The receiver's answer at each path. */
const answers: Record<string, (answer: ServerResponse) => void> = {
  "/ok": (answer) => answer.writeHead(204).end(),
  "/error": (answer) => answer.writeHead(500).end("a stack trace"),
  "/redirect": (answer) => answer.writeHead(307, { location: "/ok" }).end(),
  "/endless": (answer) => {
    answer.writeHead(200);
    const drip = setInterval(() => answer.write("x".repeat(8 * 1024)), 5);
    answer.on("close", () => {
      clearInterval(drip);
    });
  },
  "/silent": () => undefined,
  "/hang-up": (answer) => answer.destroy(),
};

let server: Server;
let origin: string;
let received: { path: string; headers: object; body: string }[] = [];
let connections = 0;
beforeAll(async () => {
  server = createServer((incoming, answer) => {
    let body = "";
    incoming.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    incoming.on("end", () => {
      received.push({ path: incoming.url ?? "", headers: incoming.headers, body });
      answers[incoming.url ?? ""]?.(answer);
    });
  });
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  received = [];
  connections = 0;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const local = makePostMessage({ allowLoopback: true, timeoutMs: 1000 });

describe("to a receiver on this machine, if that is allowed", () => {
  test("posts the message unchanged and reports the status and the time", async () => {
    const posted = await local(`${origin}/ok`, message);
    expect(posted).toEqual({ status: 204, error: null, durationMs: expect.any(Number) as number });
    expect(received).toMatchObject([{ path: "/ok", headers: message.headers, body: message.body }]);
  });
  test("resolves localhost to this machine", async () => {
    expect(await local(`${origin.replace("127.0.0.1", "localhost")}/ok`, message)).toMatchObject({
      status: 204,
    });
  });
  test("reports an error status without the receiver's text", async () => {
    expect(await local(`${origin}/error`, message)).toMatchObject({ status: 500, error: "Answered 500" });
  });
  test("does not follow redirects", async () => {
    expect(await local(`${origin}/redirect`, message)).toMatchObject({
      status: 307,
      error: "Answered 307; redirects are not followed",
    });
    expect(received.map(({ path }) => path)).toEqual(["/redirect"]);
  });
  test("stops reading an endless answer", async () => {
    expect(await local(`${origin}/endless`, message)).toMatchObject({ status: 200, error: null });
  });
  test("gives up on a receiver that does not answer in time", async () => {
    expect(await local(`${origin}/silent`, message)).toMatchObject({
      status: null,
      error: "No answer in time",
    });
  });
  test("reports a connection that is closed or refused", async () => {
    const failed = { status: null, error: "The connection failed" };
    expect(await local(`${origin}/hang-up`, message)).toMatchObject(failed);
    expect(await local("http://127.0.0.1:9/", message)).toMatchObject(failed);
  });
});

/** Attacks on the service's own network, by an address or by a name that resolves to one. */
const addresses = [
  ...["127.0.0.1", "127.1", "0x7f.0.0.1", "0177.0.0.1", "2130706433", "0.0.0.0", "10.0.0.1", "172.16.0.1"],
  ...["172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.254", "192.0.0.8"],
  ...["198.18.0.1", "192.0.2.1", "224.0.0.1", "239.255.255.250", "255.255.255.255", "240.0.0.1"],
  ...["[::1]", "[::]", "[::ffff:127.0.0.1]", "[::ffff:a9fe:a9fe]", "[64:ff9b::7f00:1]", "[64:ff9b:1::a00:1]"],
  ...["[fe80::1]", "[fc00::1]", "[fd00:ec2::254]", "[ff02::1]", "[2002:7f00:1::]", "[2001::1]", "[::7f00:1]"],
];

describe("contacts no private address", () => {
  const outside = makePostMessage({ timeoutMs: 1000 });
  const port = (): string => new URL(origin).port;

  test.each(addresses)("given as an IP address: %s", async (host) => {
    expect(isPostable(new URL(`https://${host}/`), { allowLoopback: false })).toBe(false);
    expect(await outside(`https://${host}:${port()}/ok`, message)).toMatchObject({
      status: null,
      error: "The address is not public",
    });
    expect(connections).toBe(0);
  });

  test.each(addresses)("by a name that resolves to %s", async (host) => {
    const address = new URL(`https://${host}/`).hostname.replace(/^\[|\]$/g, "");
    const resolve = async () => [
      { address: "1.1.1.1", family: 4 },
      { address, family: address.includes(":") ? 6 : 4 },
    ];
    const post = makePostMessage({ timeoutMs: 1000, resolve });
    expect(await post(`https://receiver.example:${port()}/ok`, message)).toMatchObject({
      error: "The address is not public",
    });
    expect(connections).toBe(0);
  });

  test("by a name that resolves to a private address the second time", async () => {
    let times = 0;
    const post = makePostMessage({
      timeoutMs: 1000,
      isAllowed: (address) => address === "127.0.0.1",
      resolve: async () => [{ address: ++times === 1 ? "127.0.0.1" : "10.0.0.1", family: 4 }],
    });
    // The first answer is no TLS server: it was connected to, and nothing was resolved again.
    expect((await post(`https://receiver.example:${port()}/ok`, message)).error).not.toContain("public");
    expect(times).toBe(1);
    expect((await post(`https://receiver.example:${port()}/ok`, message)).error).toBe(
      "The address is not public",
    );
  });

  test.each(["http://receiver.example/", "http://1.1.1.1/", "ftp://receiver.example/", "file:///etc/passwd"])(
    "nor anything without TLS: %s",
    async (url) => {
      expect(isPostable(new URL(url), { allowLoopback: true })).toBe(false);
      expect(await local(url, message)).toMatchObject({ status: null, error: "The address is not public" });
    },
  );

  test("by the usual name of this machine", async () => {
    expect(isPostable(new URL("https://localhost/"), { allowLoopback: false })).toBe(false);
    expect(await outside(`https://localhost:${port()}/ok`, message)).toMatchObject({
      error: "The address is not public",
    });
    expect(connections).toBe(0);
  });

  test("nor other private addresses where this machine is allowed", async () => {
    expect(await local("https://10.0.0.1/", message)).toMatchObject({ error: "The address is not public" });
    expect(await local("http://169.254.169.254/", message)).toMatchObject({
      error: "The address is not public",
    });
  });
});
