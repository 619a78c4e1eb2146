// Kubo's RPC API (https://docs.ipfs.tech/reference/kubo/rpc/), as far as blocks and pins go, and its gateway on a port of
// its own. Kubo itself does not install from npm.
import { cidOfBlock, makeBlocks, parseCid, type Blocks } from "./blocks.ts";
import { makeFaults, type Faults } from "./faults.ts";
import { serve, type Asked, type Reply } from "./serve.ts";

export type KuboStandIn = Pick<Faults, "behave"> & {
  readonly url: string;
  readonly gatewayUrl: string;
  readonly isPinned: Blocks["isPinned"];
  readonly stop: () => Promise<void>;
};

type Options = {
  /** A bearer token of API.Authorizations. Without one every caller may ask. */
  readonly token?: string | undefined;
  readonly port?: number;
  readonly gatewayPort?: number;
};

const maximumBlockBytes = 1024 * 1024;

/** Every error of a command is a 500 with this body. */
const failure = (message: string): Reply => ({
  status: 500,
  body: { Message: message, Code: 0, Type: "error" },
});

export async function startKuboStandIn({ token, port, gatewayPort }: Options = {}): Promise<KuboStandIn> {
  const blocks = await makeBlocks();
  const faults = makeFaults();
  const commands: Readonly<Record<string, (asked: Asked) => Promise<Reply>>> = {
    "/api/v0/version": async () => ({ status: 200, body: { Version: "0.39.0", System: "stand-in" } }),
    "/api/v0/block/put": (asked) => putBlock(asked, { blocks, faults }),
    "/api/v0/block/get": async ({ url }) => readBlock(blocks, url.searchParams.get("arg") ?? ""),
    "/api/v0/pin/ls": async ({ url }) => {
      const cid = url.searchParams.get("arg") ?? "";
      const isPinned = parseCid(cid) !== undefined && (await blocks.isPinned(cid));
      return isPinned
        ? { status: 200, body: { Keys: { [cid]: { Type: "recursive", Name: "" } } } }
        : failure(`path '${cid}' is not pinned`);
    },
  };
  const rpc = await serve(
    async (asked) => {
      if (faults.take("down")) return failure("the node is in trouble");
      const isRefused = token !== undefined && asked.headers.authorization !== `Bearer ${token}`;
      if (isRefused || faults.take("refuses")) return { status: 403, body: "Kubo RPC Access Denied" };
      // As Kubo does, against pages in browsers.
      if (asked.method !== "POST") return { status: 405, body: "405 - Method Not Allowed" };
      const command = commands[asked.url.pathname];
      if (command === undefined) return { status: 404, body: "404 page not found" };
      const reply = await command(asked);
      return faults.take("drops") ? "drop" : reply;
    },
    { port: port ?? 0 },
  );
  const gateway = await serve(
    async ({ method, url }) => {
      const [, cid] = /^\/ipfs\/([^/]+)$/.exec(url.pathname) ?? [];
      if (method !== "GET" || cid === undefined) return { status: 404, body: "404 page not found" };
      const found = await readBlock(blocks, cid);
      return found !== "drop" && found.status === 200 ? found : { status: 404, body: "not found" };
    },
    { port: gatewayPort ?? 0 },
  );
  return {
    url: rpc.url,
    gatewayUrl: gateway.url,
    behave: faults.behave,
    isPinned: blocks.isPinned,
    stop: async () => {
      await Promise.all([rpc.stop(), gateway.stop()]);
      await blocks.stop();
    },
  };
}

async function readBlock(blocks: Blocks, cid: string): Promise<Reply> {
  const bytes = parseCid(cid) === undefined ? undefined : await blocks.get(cid);
  return bytes === undefined ? failure(`block was not found locally: ${cid}`) : { status: 200, body: bytes };
}

async function putBlock(
  { url, headers, body }: Asked,
  { blocks, faults }: { readonly blocks: Blocks; readonly faults: Faults },
): Promise<Reply> {
  const options = url.searchParams;
  if ((options.get("cid-codec") ?? "raw") !== "raw") return failure("the stand-in stores raw blocks only");
  if ((options.get("mhtype") ?? "sha2-256") !== "sha2-256") return failure("unrecognized hash function");
  const bytes = fileOf(body, headers["content-type"] ?? "");
  if (bytes === undefined) return { status: 400, body: "file argument 'data' is required" };
  if (bytes.byteLength > maximumBlockBytes) return failure("produced block is over 1MiB");
  const cid = await blocks.put(bytes);
  if (options.get("pin") === "true") await blocks.pin(cid);
  if (faults.take("nonsense")) return { status: 200, body: { key: cid } };
  const named = faults.take("other-cid") ? await cidOfBlock(Buffer.concat([bytes, Buffer.of(0)])) : cid;
  return { status: 200, body: { Key: named, Size: bytes.byteLength } };
}

/** The first part of a multipart body. */
function fileOf(body: Buffer, contentType: string): Uint8Array | undefined {
  const [, boundary] = /^multipart\/form-data;.*boundary="?([^";]+)"?/.exec(contentType) ?? [];
  if (boundary === undefined) return undefined;
  const start = body.indexOf("\r\n\r\n");
  const end = body.indexOf(`\r\n--${boundary}`, start + 4);
  return start < 0 || end < 0 ? undefined : body.subarray(start + 4, end);
}
