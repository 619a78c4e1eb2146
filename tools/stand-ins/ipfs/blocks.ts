// The blocks and pins of a Helia node in memory, which dials no other node.
import { createHeliaLight } from "helia";
import { CID } from "multiformats/cid";
import * as raw from "multiformats/codecs/raw";
import { sha256 } from "multiformats/hashes/sha2";

export type Blocks = {
  readonly put: (bytes: Uint8Array) => Promise<string>;
  readonly get: (cid: string) => Promise<Uint8Array | undefined>;
  readonly pin: (cid: string) => Promise<void>;
  readonly isPinned: (cid: string) => Promise<boolean>;
  readonly stop: () => Promise<void>;
};

export const cidOfBlock = async (bytes: Uint8Array): Promise<string> =>
  CID.createV1(raw.code, await sha256.digest(bytes)).toString();

/** Returns undefined for what is not a CID. */
export function parseCid(text: string): CID | undefined {
  try {
    return CID.parse(text);
  } catch {
    return undefined;
  }
}

export async function makeBlocks(): Promise<Blocks> {
  const helia = createHeliaLight({ routers: [], blockBrokers: [] });
  await helia.start();
  return {
    put: async (bytes) => {
      const cid = await cidOfBlock(bytes);
      await helia.blockstore.put(CID.parse(cid), bytes);
      return cid;
    },
    get: async (text) => {
      const cid = CID.parse(text);
      if (!(await helia.blockstore.has(cid))) return undefined;
      const chunks: Uint8Array[] = [];
      for await (const chunk of helia.blockstore.get(cid, { offline: true })) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
    pin: async (text) => {
      const cid = CID.parse(text);
      if (!(await helia.pins.isPinned(cid))) for await (const _ of helia.pins.add(cid));
    },
    isPinned: (text) => helia.pins.isPinned(CID.parse(text)),
    stop: async () => {
      await helia.stop();
    },
  };
}
