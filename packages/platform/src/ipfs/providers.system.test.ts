// Kubo's RPC API and the pinning-service API, against stand-ins that follow the published APIs, and our own Helia node.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { makeSupervisor, startIpfs, type Ipfs as Node } from "@countersign/tools/engines";
import { freePorts, makeTempDir } from "@countersign/tools/testing";
import { cidOf, digestOf } from "@countersign/wire/envelope";
import { startKuboStandIn, type KuboStandIn } from "../../../../tools/stand-ins/ipfs/kubo.ts";
import {
  startPinningStandIn,
  type PinningStandIn,
} from "../../../../tools/stand-ins/ipfs/pinning-service.ts";
import { ConfigError, loadConfig } from "../config/index.ts";
import { z } from "zod";
import { connectIpfs, ipfsSettings, makeIpfs } from "./index.ts";

const dir = makeTempDir("ipfs-providers");
const supervisor = makeSupervisor({ logDir: dir });
const kuboToken = "kubo-token";
const pinningToken = "pinning-token";
let node: Node;
let kubo: KuboStandIn;
let pinning: PinningStandIn;

beforeAll(async () => {
  const [port = 0] = await freePorts(1);
  [node, kubo, pinning] = await Promise.all([
    startIpfs({ supervisor, dir: `${dir}/node`, port }),
    startKuboStandIn({ token: kuboToken }),
    startPinningStandIn({ token: pinningToken }),
  ]);
});
afterEach(() => {
  kubo.behave("good");
  pinning.behave("good");
});
afterAll(async () => {
  await Promise.all([kubo.stop(), pinning.stop(), supervisor.stop()]);
  rmSync(dir, { recursive: true, force: true });
});

const block = (length = 1000) => new Uint8Array(randomBytes(length));
const cidOfBytes = (bytes: Uint8Array): string => cidOf(digestOf(bytes));
const byKubo = (token = kuboToken) =>
  makeIpfs({ url: kubo.gatewayUrl, rpc: { url: `${kubo.url}/`, token }, timeoutMs: 2_000 });
const originOf = (url: string): string => `/ip4/127.0.0.1/tcp/${new URL(url).port}/http`;
const withPinning = ({ token = pinningToken, origins = [originOf(node.url)], timeoutMs = 3_000 } = {}) =>
  makeIpfs({ url: node.url, pinning: { url: pinning.url, token, origins }, timeoutMs });

describe("Kubo", () => {
  test("stores and pins a block through the RPC API and returns it by the gateway", async () => {
    const bytes = block(256 * 1024);
    const { cid, digest } = await byKubo().pin(bytes);
    expect(cid).toBe(cidOfBytes(bytes));
    expect(await kubo.isPinned(cid)).toBe(true);
    expect(Buffer.from(await byKubo().read(digest)).equals(bytes)).toBe(true);
  });
  test("pinning the same block again changes nothing", async () => {
    const bytes = block();
    expect(await byKubo().pin(bytes)).toEqual(await byKubo().pin(bytes));
  });
  test.each([
    ["a wrong token", "kubo-tokeo", "good", "the Kubo node answered 403"],
    ["a token that the node refuses", kuboToken, "refuses", "the Kubo node answered 403"],
    ["a failing node", kuboToken, "down", "the Kubo node answered 500"],
    ["no answer", kuboToken, "drops", "the Kubo node could not be reached"],
    ["another name", kuboToken, "other-cid", "under another name"],
    ["an answer without a name", kuboToken, "nonsense", "under another name"],
  ] as const)("%s is an error", async (_, token, how, message) => {
    kubo.behave(how);
    await expect(byKubo(token).pin(block())).rejects.toThrow(message);
  });
  test("a lost answer is repaired by asking again", async () => {
    const bytes = block();
    kubo.behave("drops", 1);
    await expect(byKubo().pin(bytes)).rejects.toThrow();
    expect((await byKubo().pin(bytes)).cid).toBe(cidOfBytes(bytes));
  });
  test("the stand-in keeps to the API: POST only, one file, raw blocks of at most 1 MiB", async () => {
    const put = `${kubo.url}/api/v0/block/put?cid-codec=raw`;
    const headers = { authorization: `Bearer ${kuboToken}` };
    const send = (body: FormData | string, method = "POST") =>
      fetch(put, method === "POST" ? { method, headers, body } : { method, headers });
    const form = (length: number): FormData => {
      const data = new FormData();
      data.append("data", new Blob([block(length)]));
      return data;
    };
    expect((await send("", "GET")).status).toBe(405);
    expect((await send("bytes")).status).toBe(400);
    expect((await send(form(1024 * 1024 + 1))).status).toBe(500);
    expect((await send(form(1024 * 1024))).status).toBe(200);
    expect((await fetch(`${kubo.url}/api/v0/nothing`, { method: "POST", headers })).status).toBe(404);
  });
});

describe("a pinning service in addition to our own node", () => {
  test("fetches the block from our node and pins it", async () => {
    const bytes = block();
    const { cid } = await withPinning().pin(bytes);
    expect(await pinning.isPinned(cid)).toBe(true);
    expect(pinning.requests.find(({ pin }) => pin.cid === cid)).toMatchObject({
      status: "pinned",
      pin: { origins: [originOf(node.url)] },
    });
  });
  test("is not asked twice for what it has", async () => {
    const bytes = block();
    await withPinning().pin(bytes);
    const before = pinning.requests.length;
    await withPinning().pin(bytes);
    expect(pinning.requests).toHaveLength(before);
  });
  test("is asked again after a failure", async () => {
    const bytes = block();
    pinning.behave("fails", 1);
    await expect(withPinning().pin(bytes)).rejects.toThrow("the pinning service failed to pin");
    const { cid } = await withPinning().pin(bytes);
    expect(await pinning.isPinned(cid)).toBe(true);
  });
  test("fails what it cannot fetch from any origin", async () => {
    const [nobody = 0] = await freePorts(1);
    const origins = [originOf(`http://127.0.0.1:${nobody}`)];
    await expect(withPinning({ origins }).pin(block())).rejects.toThrow("failed to pin");
  });
  test("may keep a block in its queue: the node has it", async () => {
    pinning.behave("stuck", 1);
    const bytes = block();
    const ipfs = withPinning({ timeoutMs: 700 });
    const { digest, cid } = await ipfs.pin(bytes);
    expect(await pinning.isPinned(cid)).toBe(false);
    expect(await ipfs.read(digest)).toHaveLength(1000);
  });
  test.each([
    ["a wrong token", "pinning-tokeo", "good", "the pinning service answered 401"],
    ["a token that is refused", pinningToken, "refuses", "the pinning service answered 401"],
    ["a failing service", pinningToken, "down", "the pinning service answered 503"],
    ["no answer", pinningToken, "drops", "the pinning service could not be reached"],
    ["an answer about another block", pinningToken, "other-cid", "answered about another block"],
    ["an answer of another form", pinningToken, "nonsense", "does not follow its API"],
  ] as const)("%s is an error without an address or a token in it", async (_, token, how, message) => {
    pinning.behave(how);
    const failure = await withPinning({ token })
      .pin(block())
      .catch((error: unknown) => error);
    expect(String(failure)).toContain(message);
    expect(String(failure)).not.toMatch(/http|token/);
  });
  test("the stand-in keeps to the API: malformed pins, unknown requests and statuses", async () => {
    const headers = { authorization: `Bearer ${pinningToken}` };
    const post = (body: string) => fetch(`${pinning.url}/pins`, { method: "POST", headers, body });
    const get = async (path: string) => (await fetch(`${pinning.url}${path}`, { headers })).status;
    expect((await post("{}")).status).toBe(400);
    expect((await post(JSON.stringify({ cid: "bafkreiX" }))).status).toBe(400);
    expect(await get("/pins/none")).toBe(404);
    expect(await get("/pins?status=lost")).toBe(400);
    expect(await get("/pins")).toBe(200);
  });
});

describe("the probe", () => {
  const all = ({ rpcToken = kuboToken, token = pinningToken, url = node.url } = {}) =>
    makeIpfs({
      ...{ url, timeoutMs: 2_000, rpc: { url: kubo.url, token: rpcToken } },
      pinning: { url: pinning.url, token, origins: [] },
    });
  test("passes while everything answers", async () => {
    await expect(all().probe()).resolves.toBeUndefined();
    await expect(all({ url: kubo.gatewayUrl }).probe()).resolves.toBeUndefined();
  });
  test("fails for each part that cannot be used", async () => {
    const [nobody = 0] = await freePorts(1);
    await expect(all({ url: `http://127.0.0.1:${nobody}` }).probe()).rejects.toThrow("the IPFS gateway");
    await expect(all({ rpcToken: "kubo-tokeo" }).probe()).rejects.toThrow("the Kubo node answered 403");
    await expect(all({ token: "pinning-tokeo" }).probe()).rejects.toThrow("the pinning service answered 401");
    pinning.behave("down");
    await expect(all().probe()).rejects.toThrow("the pinning service answered 503");
  });
});

describe("the settings", () => {
  const Schema = z.object(ipfsSettings());
  const settings = (environment: Record<string, string>) => loadConfig(Schema, environment);
  test("choose Kubo and a pinning service", async () => {
    const bytes = block();
    const ipfs = connectIpfs(
      settings({
        ...{ IPFS_URL: kubo.gatewayUrl, IPFS_RPC_URL: kubo.url, IPFS_RPC_TOKEN: kuboToken },
        ...{ PINNING_URL: pinning.url, PINNING_TOKEN: pinningToken },
        PINNING_ORIGINS: originOf(kubo.gatewayUrl),
      }),
    );
    const { cid } = await ipfs.pin(bytes);
    expect([await kubo.isPinned(cid), await pinning.isPinned(cid)]).toEqual([true, true]);
  });
  test("refuse a pinning service without its token, and an origin that is no multiaddress", () => {
    expect(() => connectIpfs(settings({ PINNING_URL: pinning.url }))).toThrow(ConfigError);
    expect(() => settings({ PINNING_ORIGINS: "127.0.0.1:4001" })).toThrow("PINNING_ORIGINS");
  });
});
