// A Helia node with its blocks on disk behind a trustless HTTP gateway: `node ipfs-node.ts <dir> <port>`. It has no
// routers, no block brokers and no libp2p, so it makes no
// connections: a missing block is a 404, never a request to a peer.
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { FsBlockstore } from "blockstore-fs";
import { FsDatastore } from "datastore-fs";
import { createHeliaLight } from "helia";
import { CID } from "multiformats/cid";
import * as raw from "multiformats/codecs/raw";
import { sha256 } from "multiformats/hashes/sha2";

const [, , dir = ".", port = "0"] = process.argv;
const maximumBytes = 1024 * 1024;

const helia = createHeliaLight({
  blockstore: new FsBlockstore(join(dir, "blocks")),
  datastore: new FsDatastore(join(dir, "data")),
  routers: [],
  blockBrokers: [],
});
await helia.start();

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    if (response.headersSent) response.destroy();
    else sendJson(response, 500, { error: "The node failed; its log says why." });
  });
});
server.listen(Number(port), "127.0.0.1");

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void stop());

async function stop(): Promise<void> {
  server.close();
  server.closeAllConnections();
  await helia.stop();
  process.exit(0);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = new URL(request.url ?? "/", "http://gateway").pathname;
  const [, , text] = /^\/(ipfs)\/([^/]+)$/.exec(path) ?? [];
  if (request.method === "GET" && path === "/health") sendJson(response, 200, { status: "ok" });
  else if (request.method === "POST" && path === "/ipfs") await addBlock(request, response);
  else if (request.method === "GET" && text !== undefined) await sendBlock(text, response);
  else sendJson(response, 404, { error: "There are GET /health, POST /ipfs and GET /ipfs/:cid." });
}

async function addBlock(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = await readBody(request);
  if (bytes === undefined) {
    // The rest of the body is not read; closing says so to a client that is still sending.
    response.setHeader("connection", "close");
    sendJson(response, 413, { error: `A block holds at most ${maximumBytes} bytes.` });
    return;
  }
  const cid = CID.createV1(raw.code, await sha256.digest(bytes));
  await helia.blockstore.put(cid, bytes);
  await pin(cid);
  sendJson(response, 201, { cid: cid.toString() });
}

/** Undefined when it is longer than a block may be. */
async function readBody(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > maximumBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Pinning twice throws, and so does pinning the same block from two requests at once. */
async function pin(cid: CID): Promise<void> {
  if (await helia.pins.isPinned(cid)) return;
  try {
    for await (const _ of helia.pins.add(cid));
  } catch (error) {
    if (!(error instanceof Error && error.name === "AlreadyPinnedError")) throw error;
  }
}

async function sendBlock(text: string, response: ServerResponse): Promise<void> {
  const cid = parseCid(text);
  if (cid === undefined) {
    sendJson(response, 400, { error: "That is not a CID with a sha2-256 hash." });
    return;
  }
  if (!(await helia.blockstore.has(cid))) {
    sendJson(response, 404, { error: "That block is not here." });
    return;
  }
  const bytes = await readBlock(cid);
  // A gateway may be trusted for being there, never for being right: what does not hash to its name is not given out.
  if (!createHash("sha256").update(bytes).digest().equals(cid.multihash.digest)) {
    console.error(`${cid.toString()}: the bytes on disk have another hash`);
    sendJson(response, 500, { error: "The stored block does not match its CID." });
    return;
  }
  response.writeHead(200, {
    "content-type": "application/vnd.ipld.raw",
    "content-length": bytes.byteLength,
    "cache-control": "public, max-age=29030400, immutable",
    etag: `"${cid.toString()}.raw"`,
    "x-content-type-options": "nosniff",
  });
  response.end(bytes);
}

function parseCid(text: string): CID | undefined {
  try {
    const cid = CID.parse(text);
    return cid.multihash.code === sha256.code ? cid : undefined;
  } catch {
    return undefined;
  }
}

async function readBlock(cid: CID): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of helia.blockstore.get(cid, { offline: true })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function sendJson(response: ServerResponse, status: number, body: Readonly<Record<string, string>>): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
