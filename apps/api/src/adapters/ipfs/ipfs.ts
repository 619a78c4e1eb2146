// Sealed payloads on IPFS, through an HTTP gateway that is believed about nothing: names are computed here, bytes are re-hashed.
import { cidOf, digestOf } from "@countersign/wire/envelope";
import { z } from "zod";
import { readAtMost } from "../read-at-most.ts";

type Hex = `0x${string}`;

export type Ipfs = {
  /** Stores the bytes and keeps them there. Doing it again changes nothing. */
  readonly pin: (bytes: Uint8Array) => Promise<{ readonly cid: string; readonly digest: Hex }>;
  /** The very bytes of that sha2-256 digest, or an error. */
  readonly read: (digest: Hex, maximumBytes?: number) => Promise<Uint8Array>;
};

type Options = { readonly url: string; readonly timeoutMs?: number };
type Gateway = { readonly url: string; readonly timeoutMs: number };

/** As long as an envelope may be. */
const longest = 256 * 1024;
/** More than the name of a block is not expected as an answer to storing one. */
const longestAnswer = 4 * 1024;

const Pinned = z.object({ cid: z.string() });

export function makeIpfs({ url, timeoutMs = 10_000 }: Options): Ipfs {
  const gateway: Gateway = { url: url.replace(/\/+$/, ""), timeoutMs };
  return {
    pin: async (bytes) => {
      if (bytes.byteLength > longest)
        throw new Error(`a payload of ${bytes.byteLength} bytes is not stored: ${longest} is the most`);
      const digest = digestOf(bytes);
      const cid = cidOf(digest);
      // A view of shared memory is no body; a copy is.
      const init = { method: "POST", body: Uint8Array.from(bytes) };
      const answer = await ask(gateway, "/ipfs", { init, maximumBytes: longestAnswer });
      if (readCid(answer) !== cid) throw new Error(`the IPFS gateway stored ${cid} under another name`);
      return { cid, digest };
    },
    read: async (digest, maximumBytes = longest) => {
      const cid = cidOf(digest);
      const init = { headers: { accept: "application/vnd.ipld.raw" } };
      const bytes = await ask(gateway, `/ipfs/${cid}`, { init, maximumBytes });
      if (digestOf(bytes) !== digest.toLowerCase())
        throw new Error(`the IPFS gateway gave other bytes for ${cid}`);
      return bytes;
    },
  };
}

type Question = { readonly init: RequestInit; readonly maximumBytes: number };

/** One question, with one time limit for the whole of the answer. */
async function ask(
  { url, timeoutMs }: Gateway,
  path: string,
  { init, maximumBytes }: Question,
): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(timeoutMs);
  // What the library says may hold the gateway's address, and with it an access key; so its words are not passed on.
  const response = await fetch(`${url}${path}`, { ...init, signal, redirect: "error" }).catch(() => {
    throw new Error(`the IPFS gateway could not be asked${signal.aborted ? " in time" : ""}`);
  });
  if (!response.ok) {
    await response.body?.cancel().catch(() => undefined);
    throw new Error(`the IPFS gateway answered ${response.status}`);
  }
  return readBody(response, maximumBytes, signal);
}

async function readBody({ body }: Response, maximumBytes: number, signal: AbortSignal): Promise<Uint8Array> {
  const bytes = await readAtMost(body, maximumBytes).catch(() => {
    throw new Error(`the IPFS gateway's answer did not arrive whole${signal.aborted ? " in time" : ""}`);
  });
  if (bytes === undefined) throw new Error(`the IPFS gateway's answer is longer than ${maximumBytes} bytes`);
  return bytes;
}

function readCid(answer: Uint8Array): string | undefined {
  try {
    return Pinned.safeParse(JSON.parse(Buffer.from(answer).toString())).data?.cid;
  } catch {
    return undefined;
  }
}
