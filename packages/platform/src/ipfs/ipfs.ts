// Blocks on IPFS. Names are computed here and bytes are hashed again, so no server is believed about either.
import { cidOf, digestOf, maximumEnvelopeBytes } from "@countersign/wire/envelope";
import { ask, knock, type Server } from "./ask.ts";
import { makePinningService, type PinningOptions } from "./pinning-service.ts";
import { storeByGateway, storeByKubo, type Store } from "./stores.ts";

type Hex = `0x${string}`;

export type Ipfs = {
  /** Stores the bytes and keeps them there. Idempotent. */
  readonly pin: (bytes: Uint8Array) => Promise<{ readonly cid: string; readonly digest: Hex }>;
  /** Returns exactly the bytes with that sha2-256 digest, or throws. */
  readonly read: (digest: Hex, maximumBytes?: number) => Promise<Uint8Array>;
  /** For health checks: throws if the gateway, Kubo or the pinning service cannot be used. */
  readonly probe: () => Promise<void>;
};

type IpfsOptions = {
  /** A gateway, which blocks are read from. Without `rpc` blocks are stored there, too: `POST /ipfs`. */
  readonly url: string;
  /** Kubo's RPC API, which blocks are then stored through. */
  readonly rpc?: { readonly url: string; readonly token?: string | undefined } | undefined;
  /** A pinning service that is asked to keep a copy of every stored block. */
  readonly pinning?: PinningOptions | undefined;
  readonly timeoutMs?: number;
};

/** The empty block, which gateways answer without looking for it; ours knows no identity hashes and answers 400. */
const emptyBlock = "bafkqaaa";

async function probeGateway(gateway: Server): Promise<void> {
  const status = await knock(gateway, `/ipfs/${emptyBlock}?format=raw`);
  if (status >= 500) throw new Error(`${gateway.whom} answered ${status}`);
}

async function probeKubo(kubo: Server): Promise<void> {
  await ask(kubo, "/api/v0/version", { method: "POST", maximumBytes: 4 * 1024 });
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, "");

export function makeIpfs({ url, rpc, pinning, timeoutMs = 10_000 }: IpfsOptions): Ipfs {
  const gateway: Server = { whom: "the IPFS gateway", url: withoutSlash(url), timeoutMs };
  const kubo: Server | undefined = rpc && {
    ...{ whom: "the Kubo node", url: withoutSlash(rpc.url), token: rpc.token, timeoutMs },
  };
  const store: Store = kubo === undefined ? storeByGateway(gateway) : storeByKubo(kubo);
  const pins = pinning && makePinningService({ ...pinning, url: withoutSlash(pinning.url), timeoutMs });
  return {
    pin: async (bytes) => {
      if (bytes.byteLength > maximumEnvelopeBytes)
        throw new Error(
          `a payload of ${bytes.byteLength} bytes is not stored: ${maximumEnvelopeBytes} is the most`,
        );
      const digest = digestOf(bytes);
      const cid = cidOf(digest);
      await store(cid, bytes);
      // Only then: the service fetches the block from the node that has it.
      await pins?.keepCopy(cid);
      return { cid, digest };
    },
    read: async (digest, maximumBytes = maximumEnvelopeBytes) => {
      const cid = cidOf(digest);
      const headers = { accept: "application/vnd.ipld.raw" };
      const bytes = await ask(gateway, `/ipfs/${cid}?format=raw`, { headers, maximumBytes });
      if (digestOf(bytes) !== digest.toLowerCase())
        throw new Error(`the IPFS gateway gave other bytes for ${cid}`);
      return bytes;
    },
    probe: async () => {
      await Promise.all([probeGateway(gateway), kubo && probeKubo(kubo), pins?.probe()]);
    },
  };
}
