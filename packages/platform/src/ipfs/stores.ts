// The two kinds of node that blocks are stored in: our own, behind its gateway, and Kubo, through its RPC API.
import { z } from "zod";
import { ask, parseJson, type Server } from "./ask.ts";

/** Throws unless the node keeps the bytes under this name. */
export type Store = (cid: string, bytes: Uint8Array) => Promise<void>;

/** The name of a block is all that is expected as an answer. */
const maximumBytes = 4 * 1024;

function checkName({ whom }: Server, cid: string, named: string | undefined): void {
  if (named !== cid) throw new Error(`${whom} stored ${cid} under another name`);
}

const Stored = z.object({ cid: z.string() });

export const storeByGateway =
  (server: Server): Store =>
  async (cid, bytes) => {
    // A view of shared memory cannot be a body; a copy can.
    const answer = await ask(server, "/ipfs", { method: "POST", body: Uint8Array.from(bytes), maximumBytes });
    checkName(server, cid, Stored.safeParse(parseJson(answer)).data?.cid);
  };

const Put = z.object({ Key: z.string() });

/** https://docs.ipfs.tech/reference/kubo/rpc/#api-v0-block-put: one raw block, pinned in the same call. */
export const storeByKubo =
  (server: Server): Store =>
  async (cid, bytes) => {
    const body = new FormData();
    body.append("data", new Blob([Uint8Array.from(bytes)]), "block");
    const query = "cid-codec=raw&mhtype=sha2-256&mhlen=-1&pin=true";
    const answer = await ask(server, `/api/v0/block/put?${query}`, { method: "POST", body, maximumBytes });
    checkName(server, cid, Put.safeParse(parseJson(answer)).data?.Key);
  };
