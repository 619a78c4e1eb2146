import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import type { ServiceRegistry } from "../adapters/services/index.ts";
import { digestOfKeyUri, type Service } from "./service.ts";
import type { ServiceStore } from "./store/services.ts";

type Parts = {
  /** Without a registry the table is not changed. */
  readonly registry: ServiceRegistry | undefined;
  readonly store: Pick<ServiceStore, "mirror" | "listKeyless" | "keepKey">;
  /** Returns the bytes with that sha2-256 digest, verified. Rejects otherwise. */
  readonly readContent: (digest: `0x${string}`) => Promise<Uint8Array>;
  /**
   * Returns the fingerprint of the one public key in the text if it can be used for encryption at that time.
   * Rejects otherwise.
   */
  readonly readPublicKey: (armoured: string, now: Date) => Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
};

/** The limit of the column. */
const longestKey = 32 * 1024;
const readAtOnce = 10;

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

/** Returns the key that the registry names, or rejects. */
async function readKey(
  { fingerprint }: Service,
  digest: `0x${string}`,
  { readContent, readPublicKey, clock }: Parts,
): Promise<string> {
  const bytes = await readContent(digest);
  if (bytes.byteLength > longestKey) throw new Error(`a key is limited to ${longestKey} bytes`);
  const armoured = decode(bytes);
  if ((await readPublicKey(armoured, clock.now())) !== fingerprint)
    throw new Error("its fingerprint differs from the registry's");
  return armoured;
}

/** A failure affects only this service: the others get their keys, and the next round retries. */
async function completeKey(service: Service, parts: Parts): Promise<void> {
  const digest = digestOfKeyUri(service.keyUri);
  if (digest === undefined) return;
  try {
    await parts.store.keepKey(service, await readKey(service, digest, parts));
  } catch (error) {
    parts.log.warn("verification service key rejected", { key: `service ${service.id}`, error });
  }
}

/**
 * Updates the table to the registry's finalized state, then fills in missing keys. Rejects without changes
 * when the chain cannot be read.
 */
export const makeMirrorServices = (parts: Parts) =>
  async function mirrorServices(): Promise<void> {
    const { registry, store, log } = parts;
    if (registry === undefined) return;
    const changed = await store.mirror(registry.chainId, await registry.readServices());
    if (changed > 0) log.info("verification services changed", { count: changed });
    const keyless = await store.listKeyless();
    for (let first = 0; first < keyless.length; first += readAtOnce)
      await Promise.all(
        keyless.slice(first, first + readAtOnce).map((service) => completeKey(service, parts)),
      );
  };
