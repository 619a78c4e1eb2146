// A service with the IPFS Pinning Service API 1.0.0 (https://ipfs.github.io/pinning-services-api-spec/). It fetches what it
// is to pin from the origins that the caller names: multiaddresses of HTTP gateways, /ip4/127.0.0.1/tcp/18088/http.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { cidOfBlock, makeBlocks, parseCid, type Blocks } from "./blocks.ts";
import { makeFaults, type Faults } from "./faults.ts";
import { serve, type Asked, type Reply } from "./serve.ts";

const statuses = ["queued", "pinning", "pinned", "failed"] as const;
type Status = (typeof statuses)[number];

const Pin = z.object({
  cid: z.string().refine((cid) => parseCid(cid) !== undefined),
  name: z.string().max(255).optional(),
  origins: z.array(z.string()).max(20).optional(),
  meta: z.record(z.string(), z.string()).optional(),
});
type Pin = z.output<typeof Pin>;

type PinStatus = {
  readonly requestid: string;
  status: Status;
  readonly created: string;
  readonly pin: Pin;
  readonly delegates: readonly string[];
};

export type PinningStandIn = Pick<Faults, "behave"> & {
  readonly url: string;
  readonly isPinned: Blocks["isPinned"];
  /** Every request for a pin that was accepted. */
  readonly requests: readonly PinStatus[];
  readonly stop: () => Promise<void>;
};

const refuse = (status: number, reason: string, details: string): Reply => ({
  status,
  body: { error: { reason, details } },
});

const originOf = (multiaddress: string): string | undefined => {
  const [, host, port] = /^\/ip4\/([\d.]+)\/tcp\/(\d+)\/http$/.exec(multiaddress) ?? [];
  return host === undefined || port === undefined ? undefined : `http://${host}:${port}`;
};

/** Fetches the block from the first origin that has it, checks its hash and pins it. */
async function fetchFrom({ cid, origins = [] }: Pin, blocks: Blocks): Promise<boolean> {
  for (const origin of origins) {
    const url = originOf(origin);
    const response =
      url === undefined ? undefined : await fetch(`${url}/ipfs/${cid}?format=raw`).catch(() => undefined);
    const bytes = response?.ok === true ? new Uint8Array(await response.arrayBuffer()) : undefined;
    if (bytes === undefined || (await cidOfBlock(bytes)) !== cid) continue;
    await blocks.put(bytes);
    await blocks.pin(cid);
    return true;
  }
  return false;
}

type Parts = { readonly blocks: Blocks; readonly faults: Faults; readonly requests: PinStatus[] };

async function work(request: PinStatus, blocks: Blocks): Promise<void> {
  request.status = "pinning";
  request.status = (await fetchFrom(request.pin, blocks)) ? "pinned" : "failed";
}

function add(body: Buffer, { blocks, faults, requests }: Parts): Reply {
  const parsed = Pin.safeParse(parseJson(body));
  if (!parsed.success) return refuse(400, "BAD_REQUEST", "The pin object is malformed.");
  const request: PinStatus = {
    ...{ requestid: randomUUID(), status: "queued", created: new Date().toISOString() },
    ...{ pin: parsed.data, delegates: ["/ip4/127.0.0.1/tcp/4001/p2p/stand-in"] },
  };
  requests.push(request);
  if (faults.take("fails")) request.status = "failed";
  // Its outcome is in the status; nothing waits for it.
  else if (!faults.take("stuck")) void work(request, blocks);
  return { status: 202, body: request };
}

function list({ searchParams }: URL, requests: readonly PinStatus[]): Reply {
  const cids = searchParams.get("cid")?.split(",");
  const wanted = searchParams.get("status")?.split(",") ?? ["pinned"];
  if (wanted.some((status) => !(statuses as readonly string[]).includes(status)))
    return refuse(400, "BAD_REQUEST", "There is no such status.");
  const found = requests.filter(
    ({ status, pin }) => wanted.includes(status) && (cids === undefined || cids.includes(pin.cid)),
  );
  const limit = Number(searchParams.get("limit") ?? "10");
  return { status: 200, body: { count: found.length, results: found.toReversed().slice(0, limit) } };
}

function answer({ method, url, body }: Asked, parts: Parts): Reply {
  const { requests } = parts;
  if (method === "POST" && url.pathname === "/pins") return add(body, parts);
  if (method === "GET" && url.pathname === "/pins") return list(url, requests);
  const [, requestid = ""] = /^\/pins\/([^/]+)$/.exec(url.pathname) ?? [];
  const at = requests.findIndex((request) => request.requestid === requestid);
  if (at < 0) return refuse(404, "NOT_FOUND", "The specified resource was not found");
  if (method === "GET") return { status: 200, body: requests[at] };
  if (method !== "DELETE") return refuse(405, "METHOD_NOT_ALLOWED", "GET or DELETE");
  requests.splice(at, 1);
  return { status: 202, body: {} };
}

type Options = { readonly token: string; readonly port?: number };

export async function startPinningStandIn({ token, port = 0 }: Options): Promise<PinningStandIn> {
  const parts: Parts = { blocks: await makeBlocks(), faults: makeFaults(), requests: [] };
  const { blocks, faults, requests } = parts;
  const { url, stop } = await serve(
    async (asked) => {
      if (faults.take("down")) return refuse(503, "INTERNAL_SERVER_ERROR", "Come back later.");
      if (asked.headers.authorization !== `Bearer ${token}` || faults.take("refuses"))
        return refuse(401, "UNAUTHORIZED", "Access token is missing or invalid");
      const reply = answer(asked, parts);
      if (faults.take("drops")) return "drop";
      if (faults.take("nonsense")) return { status: 200, body: { status: "pinned" } };
      return reply !== "drop" && asked.method === "POST" && faults.take("other-cid")
        ? { status: 202, body: { ...(reply.body as PinStatus), pin: { cid: await cidOfBlock(asked.body) } } }
        : reply;
    },
    { port },
  );
  return {
    ...{ url, requests, behave: faults.behave, isPinned: blocks.isPinned },
    stop: async () => {
      await stop();
      await blocks.stop();
    },
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
