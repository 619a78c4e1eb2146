import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { base32upper } from "multiformats/bases/base32";
import { CID } from "multiformats/cid";
import * as raw from "multiformats/codecs/raw";
import { sha256 } from "multiformats/hashes/sha2";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { startIpfs, type Ipfs } from "./ipfs.ts";
import { freePorts } from "./ports.ts";
import { readSocketsOf, staysAtHome } from "./sockets.ts";
import { makeSupervisor, type Supervisor } from "./supervisor.ts";

const dir = makeTempDir("ipfs");
let supervisor: Supervisor;
let ipfs: Ipfs;
let start: () => Promise<Ipfs>;

beforeAll(async () => {
  supervisor = makeSupervisor({ logDir: `${dir}/logs` });
  const [port = 0] = await freePorts(1);
  start = () => startIpfs({ supervisor, dir, port });
  ipfs = await start();
});

afterAll(async () => {
  await supervisor.stop();
  rmSync(dir, { recursive: true });
});

async function cidOf(text: string): Promise<string> {
  return CID.createV1(raw.code, await sha256.digest(new TextEncoder().encode(text))).toString();
}

const add = (body: string | Uint8Array<ArrayBuffer>): Promise<Response> =>
  fetch(`${ipfs.url}/ipfs`, { method: "POST", body });
const get = (cid: string): Promise<Response> => fetch(`${ipfs.url}/ipfs/${cid}`);

it("names a block by its hash and gives it back", async () => {
  const added = await add("evidence");
  expect(added.status).toBe(201);
  expect(await added.json()).toEqual({ cid: await cidOf("evidence") });
  const found = await get(await cidOf("evidence"));
  expect(found.status).toBe(200);
  expect(found.headers.get("content-type")).toBe("application/vnd.ipld.raw");
  expect(found.headers.get("cache-control")).toBe("public, max-age=29030400, immutable");
  expect(await found.text()).toBe("evidence");
});

it("takes the same block again and again, also at once", async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => add("the same")));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
});

it("takes a block of one MiB and refuses a longer one", async () => {
  expect((await add(new Uint8Array(1024 * 1024))).status).toBe(201);
  expect((await add(new Uint8Array(1024 * 1024 + 1))).status).toBe(413);
});

it("returns 404 for a missing block without asking peers", async () => {
  expect((await get(await cidOf("never added"))).status).toBe(404);
  expect(readSocketsOf(ipfs.pid).filter((socket) => !staysAtHome(socket))).toEqual([]);
});

it.each(["not-a-cid", "bafkqaaa"])("answers 400 for %s, which is no name of a block", async (text) => {
  expect((await get(text)).status).toBe(400);
});

it("has its blocks after a SIGKILL", async () => {
  await add("kept");
  await ipfs.kill();
  ipfs = await start();
  expect(await (await get(await cidOf("kept"))).text()).toBe("kept");
});

// An attacker with access to the disk must not be able to replace the content of a CID.
it("refuses to give out a block whose bytes were changed on disk", async () => {
  await add("original");
  const name = (await sha256.digest(new TextEncoder().encode("original"))).bytes;
  const files = readdirSync(`${dir}/blocks`, { recursive: true, encoding: "utf8" });
  const file = files.find((candidate) => candidate.includes(base32upper.encode(name)));
  writeFileSync(`${dir}/blocks/${file ?? "missing"}`, "tampered");
  const answer = await get(await cidOf("original"));
  expect(answer.status).toBe(500);
  expect(await answer.json()).toEqual({ error: "The stored block does not match its CID." });
});
