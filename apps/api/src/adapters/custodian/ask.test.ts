// Answers of a custodian, or of an impostor, on the wire, and that none of them leaks our credentials.
import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { systemClock } from "@countersign/platform/clock";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { SenderRefused, type Order } from "../sender.ts";
import { hostOf } from "./ask.ts";
import { makeCustodian, type Access } from "./index.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let url: string;
let handle: Handler;
let asked: { readonly address: string; readonly headers: IncomingMessage["headers"] }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push({ address: `${request.method ?? ""} ${request.url ?? ""}`, headers: request.headers });
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
beforeEach(() => {
  asked = [];
});

const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const access: Access = {
  apiKey: "canary-4f1c-api-key",
  privateKey,
  vaultAccountId: "7",
  environment: "sandbox",
  region: "US",
};
const order: Order = {
  requestHash: `0x${"ab".repeat(32)}`,
  chainId: 1,
  to: `0x${"cd".repeat(20)}`,
  value: 1n,
  data: "0x",
};
const custodian = (timeoutMs = 2_000) =>
  makeCustodian({ url: `${url}/`, assets: { 1: "ETH" }, timeoutMs, clock: systemClock });
const sender = (timeoutMs?: number) => custodian(timeoutMs).openSender(access);
const answering =
  (status: number, body: unknown, headers = {}): Handler =>
  (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
const thrownBy = async (promise: Promise<unknown>): Promise<Error> => {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  return error as Error;
};

describe("the custodian's host", () => {
  test.each([
    ["sandbox", "US", "https://sandbox-api.fireblocks.io"],
    ["sandbox", "EU", "https://sandbox-api.fireblocks.io"],
    ["sandbox", "EU2", "https://sandbox-api.fireblocks.io"],
    ["testnet", "US", "https://api.fireblocks.io"],
    ["testnet", "EU", "https://eu-api.fireblocks.io"],
    ["testnet", "EU2", "https://eu2-api.fireblocks.io"],
    ["mainnet", "US", "https://api.fireblocks.io"],
    ["mainnet", "EU", "https://eu-api.fireblocks.io"],
    ["mainnet", "EU2", "https://eu2-api.fireblocks.io"],
  ] as const)("of %s in %s is %s", (environment, region, host) => {
    expect(hostOf({ environment, region })).toBe(host);
  });
});

describe("an order they answer with", () => {
  test.each([
    [400, SenderRefused],
    [401, SenderRefused],
    [403, SenderRefused],
    [404, SenderRefused],
    [422, SenderRefused],
  ])("%i is a final refusal", async (status, kind) => {
    handle = (request, response) => {
      // The lookup by hash finds nothing.
      answering(request.method === "GET" ? 404 : status, { code: 5, message: "no" })(request, response);
    };
    const error = await thrownBy(sender().send(order));
    expect(error).toBeInstanceOf(kind);
    expect(error.message).toMatch(/: 5 no$/);
  });
  test.each([302, 402, 405, 408, 409, 413, 425, 429, 500, 502, 503, 504])(
    "%i is an unknown outcome, and not retried",
    async (status) => {
      handle = answering(status, { message: "busy" }, { location: `${url}/elsewhere` });
      const error = await thrownBy(sender().send(order));
      expect(error).not.toBeInstanceOf(SenderRefused);
      expect(error.message).toBe(`the custodian answered ${status}: busy`);
      expect(asked.map(({ address }) => address)).toEqual(["POST /v1/transactions"]);
    },
  );
  test("400 is an unknown outcome while the lookup fails", async () => {
    handle = (request, response) => {
      answering(request.method === "GET" ? 503 : 400, {})(request, response);
    };
    const error = await thrownBy(sender().send(order));
    expect(error).not.toBeInstanceOf(SenderRefused);
  });
  test.each([
    ["what is no JSON", "<html>"],
    ["nothing", ""],
    ["no id", { status: "SUBMITTED" }],
    ["an empty id", { id: "", status: "SUBMITTED" }],
    ["no status", { id: "1" }],
    ["a list", []],
  ])("200 and %s is an unknown outcome", async (_what, body) => {
    handle = answering(200, body);
    const error = await thrownBy(sender().send(order));
    expect(error).not.toBeInstanceOf(SenderRefused);
    expect(error.message).toBe("the custodian's answer could not be read");
  });
  test("more than a megabyte is not read to its end", async () => {
    handle = answering(200, { id: "1", status: "COMPLETED", note: "x".repeat(1024 * 1024) });
    await expect(sender().send(order)).rejects.toThrow("could not be reached");
  });
  test.each([
    ["silence", () => undefined],
    [
      "a drop at a time",
      (_request, response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(" "), 20);
        response.on("close", () => {
          clearInterval(drip);
        });
      },
    ],
  ] satisfies [string, Handler][])("%s is waited for until the deadline", async (_what, how) => {
    handle = how;
    const over: number[] = [];
    const waits = [1_000, 200].map(async (ms) => {
      await expect(sender(ms).send(order)).rejects.toThrow("did not answer in time");
      over.push(ms);
    });
    await Promise.all(waits);
    expect(over).toEqual([200, 1_000]);
  });
});

describe("a request", () => {
  test("about an order that is answered about another one fails", async () => {
    handle = answering(200, { id: "1", status: "COMPLETED", externalTxId: `0x${"00".repeat(32)}` });
    await expect(sender().find(order.requestHash)).rejects.toThrow("about another order");
  });
  test("encodes ids in its path", async () => {
    handle = answering(200, {});
    await sender().cancel("a/../b?c#d");
    expect(asked[0]?.address).toBe("POST /v1/transactions/a%2F..%2Fb%3Fc%23d/cancel");
  });
  test("has an idempotency key only where it creates something", async () => {
    handle = answering(200, { id: "1", status: "SUBMITTED" });
    await sender().send(order);
    await sender().find(order.requestHash);
    await sender().cancel("1");
    expect(asked.map(({ headers }) => headers["idempotency-key"])).toEqual([
      "ab".repeat(20),
      undefined,
      undefined,
    ]);
    expect(asked.map(({ headers }) => headers["content-type"])).toEqual([
      "application/json",
      undefined,
      undefined,
    ]);
  });
  test.each([
    ["an id that is no address", { addresses: [{ address: "bc1q" }] }],
    ["no list", {}],
  ])("about an address that is answered with %s fails", async (_what, body) => {
    handle = answering(200, body);
    await expect(custodian().readAddress(access, 1)).rejects.toThrow("could not be read");
  });
  test("about an address of a vault without one returns undefined", async () => {
    handle = answering(200, { addresses: [] });
    expect(await custodian().readAddress(access, 1)).toBeUndefined();
  });
  test("about a vault that is answered about another one finds no such vault", async () => {
    handle = answering(200, { id: "8" });
    expect(await custodian().check(access)).toBe("no such vault");
  });
  test.each([302, 429, 500])("about a vault that is answered with %i fails", async (status) => {
    handle = answering(status, {});
    expect(await custodian().check(access)).toBe("unreachable");
  });
});

// Errors reach logs, journals and error pages.
describe("no error contains a credential", () => {
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const echo =
    (status: number, wrap: (text: string) => string): Handler =>
    (request, response) => {
      const said = wrap(`${String(request.headers.authorization)} ${String(request.headers["x-api-key"])}`);
      answering(status, { code: 1, message: said })(request, response);
    };
  const handlers: Record<string, Handler> = {
    "401 that repeats them": echo(401, (text) => text),
    "400 that repeats them": echo(400, (text) => text),
    "500 that repeats them": echo(500, (text) => text),
    "500 that repeats them at the edge of what is kept": echo(500, (text) => "x".repeat(190) + text),
    "500 that repeats the half of them": echo(500, (text) => text.split(".").slice(1).join(".")),
    "500 that repeats the beginning of them": echo(500, (text) => text.slice(0, 150)),
    "200 that repeats them": echo(200, (text) => text),
    "a connection that is reset": (request) => request.socket.resetAndDestroy(),
    silence: () => undefined,
    "broken JSON that repeats them": (request, response) => {
      response.end(`{"${String(request.headers.authorization)}`);
    },
  };
  test.each(Object.keys(handlers))("%s", async (how) => {
    handle = handlers[how] ?? handle;
    const open = sender(300);
    const thrown = await Promise.all([
      thrownBy(open.send(order)),
      thrownBy(open.find(order.requestHash)),
      thrownBy(custodian(300).readAddress(access, 1)),
    ]);
    const tokens = asked.map(({ headers }) => String(headers.authorization).replace("Bearer ", ""));
    const secrets = [access.apiKey, ...tokens.flatMap((token) => token.split(".").slice(1)), ...linesOf(pem)];
    expect(tokens.length).toBeGreaterThan(2);
    for (const error of thrown) {
      const text = [
        inspect(error, { depth: Infinity, showHidden: true, maxStringLength: Infinity }),
        JSON.stringify(error, Object.getOwnPropertyNames(error)),
        String(error.stack),
        error.message,
      ].join("\n");
      for (const secret of secrets) expect(text).not.toContain(secret.slice(0, 24));
      expect(error.message.length).toBeLessThan(300);
      expect(error.cause).toBeUndefined();
    }
  });
  test("an access key that cannot sign", async () => {
    const { publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const error = await thrownBy(
      custodian()
        .openSender({ ...access, privateKey: publicKey })
        .find(order.requestHash),
    );
    expect(inspect(error, { depth: Infinity, showHidden: true })).not.toContain(access.apiKey);
  });
});

const linesOf = (pem: string): readonly string[] =>
  pem.split("\n").filter((line) => line.length >= 24 && !line.startsWith("-"));
