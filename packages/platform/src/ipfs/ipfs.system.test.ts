// Against a real Helia node, and against a gateway that does what a bad one might.
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSupervisor, startIpfs, type Ipfs as Node } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import { cidOf, digestOf } from "@countersign/wire/envelope";
import { makeIpfs, type Ipfs } from "./index.ts";

const dir = makeTempDir("ipfs-adapter");
const supervisor = makeSupervisor({ logDir: dir });
let node: Node;
let start: () => Promise<Node>;
let ipfs: Ipfs;

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  start = () => startIpfs({ supervisor, dir: `${dir}/node`, port });
  node = await start();
  ipfs = makeIpfs({ url: node.url });
});
afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true, force: true });
});

const kB = 1024;
const block = (length = 1000) => new Uint8Array(randomBytes(length));

describe("a real node", () => {
  test("gives back what was pinned, by its digest, also after it was killed", async () => {
    const bytes = block(256 * kB);
    const { cid, digest } = await ipfs.pin(bytes);
    expect({ cid, digest }).toEqual({ cid: cidOf(digestOf(bytes)), digest: digestOf(bytes) });
    expect(Buffer.from(await ipfs.read(digest)).equals(bytes)).toBe(true);
    await node.kill();
    await expect(ipfs.read(digest)).rejects.toThrow("could not be reached");
    node = await start();
    expect(Buffer.from(await ipfs.read(digest)).equals(bytes)).toBe(true);
  });

  test("is given the same bytes again and again, also at once", async () => {
    const bytes = block();
    const pins = await Promise.all(Array.from({ length: 8 }, () => ipfs.pin(bytes)));
    expect(new Set(pins.map(({ cid }) => cid)).size).toBe(1);
  });

  test("does not have what was never pinned", async () => {
    await expect(ipfs.read(digestOf(block()))).rejects.toThrow("404");
  });

  test("is never asked to keep more than an envelope may hold, nor believed with more than the caller wants", async () => {
    await expect(ipfs.pin(block(256 * kB + 1))).rejects.toThrow("not stored");
    const { digest } = await ipfs.pin(block(100));
    await expect(ipfs.read(digest, 99)).rejects.toThrow("longer than 99");
    expect(await ipfs.read(digest, 100)).toHaveLength(100);
  });
});

/** A gateway that answers every question in the given way; asked counts the questions. */
async function aGateway(answer: (response: ServerResponse, path: string) => void) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    request.resume();
    answer(response, request.url ?? "");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    asked: () => asked,
    ipfs: makeIpfs({ url: `${url}/`, timeoutMs: 2_000 }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

describe("a gateway that cannot be believed", () => {
  const bytes = block(1000);
  const digest = digestOf(bytes);
  const changed = bytes.map((byte, at) => (at === 500 ? byte ^ 1 : byte));

  test.each([
    ["other bytes", (response: ServerResponse) => response.end(changed), "other bytes"],
    ["too few bytes", (response: ServerResponse) => response.end(bytes.subarray(0, 999)), "other bytes"],
    ["nothing", (response: ServerResponse) => response.end(), "other bytes"],
    [
      "an answer that is cut off",
      (response: ServerResponse) => {
        response.writeHead(200, { "content-length": 1000 });
        response.write(bytes.subarray(0, 500), () => response.destroy());
      },
      "whole",
    ],
    [
      "an answer that never ends",
      (response: ServerResponse) => void response.write(bytes.subarray(0, 500)),
      "whole in time",
    ],
    ["no answer at all", () => undefined, "in time"],
    ["an error", (response: ServerResponse) => response.writeHead(500).end(bytes), "500"],
  ])("%s: an error, and no bytes", async (_, answer, reason) => {
    await using gateway = await aGateway((response) => {
      answer(response);
    });
    await expect(gateway.ipfs.read(digest)).rejects.toThrow(reason);
  });

  test("a redirect is not followed, not even to the right bytes", async () => {
    await using right = await aGateway((response) => response.end(bytes));
    await using gateway = await aGateway((response, path) =>
      response.writeHead(307, { location: `${right.url}${path}` }).end(),
    );
    await expect(gateway.ipfs.read(digest)).rejects.toThrow("could not be reached");
    await expect(gateway.ipfs.pin(bytes)).rejects.toThrow("could not be reached");
    expect(right.asked()).toBe(0);
    expect(await right.ipfs.read(digest)).toHaveLength(1000);
  });

  test("too much is not read to its end, whatever length was announced", async () => {
    let written = 0;
    await using gateway = await aGateway((response) => {
      const flood = Buffer.alloc(64 * kB);
      const pour = (): void => {
        while (!response.destroyed && written < 64 * 1024 * kB) {
          written += flood.length;
          if (!response.write(flood)) return void response.once("drain", pour);
        }
      };
      pour();
    });
    await expect(gateway.ipfs.read(digest)).rejects.toThrow("longer than");
    expect(written).toBeLessThan(32 * 1024 * kB);
  });

  test.each([
    ["another name", JSON.stringify({ cid: cidOf(digestOf(changed)) })],
    ["no name", JSON.stringify({})],
    ["a name that is no text", JSON.stringify({ cid: 7 })],
    ["no JSON", "thank you"],
  ])("%s for what it was to keep: an error", async (_, body) => {
    await using gateway = await aGateway((response) => response.writeHead(201).end(body));
    await expect(gateway.ipfs.pin(bytes)).rejects.toThrow("another name");
  });

  test("reports a failure without the address", async () => {
    const [port = 0] = await freePorts(1);
    const away = makeIpfs({ url: `http://127.0.0.1:${port}/an-access-key` });
    const failure = await away.read(digest).catch((error: unknown) => error);
    expect(String(failure)).toBe("Error: the IPFS gateway could not be reached");
    expect((failure as Error).cause).toBeUndefined();
  });
});
