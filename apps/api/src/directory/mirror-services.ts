import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import type { ServiceRegistry } from "../adapters/services/index.ts";
import { digestOfKeyUri, type Service } from "./service.ts";
import type { ServiceStore } from "./store/services.ts";

type Parts = {
  /** Without one the table stays as it is. */
  readonly registry: ServiceRegistry | undefined;
  readonly store: Pick<ServiceStore, "mirror" | "listKeyless" | "keepKey">;
  /** The bytes of that sha2-256 digest, re-hashed; or an error. */
  readonly readContent: (digest: `0x${string}`) => Promise<Uint8Array>;
  /** The fingerprint of the one public key in the text, if it can be encrypted to then; or an error. */
  readonly readPublicKey: (armoured: string, now: Date) => Promise<string>;
  readonly clock: Clock;
  readonly log: Log;
};

/** As much as the record takes. */
const longestKey = 32 * 1024;
const readAtOnce = 10;

const decode = (bytes: Uint8Array): string => new TextDecoder("utf-8", { fatal: true }).decode(bytes);

/** The key that the registry means, or an error. */
async function readKey(
  { fingerprint }: Service,
  digest: `0x${string}`,
  { readContent, readPublicKey, clock }: Parts,
): Promise<string> {
  const bytes = await readContent(digest);
  if (bytes.byteLength > longestKey) throw new Error(`a key has at most ${longestKey} bytes`);
  const armoured = decode(bytes);
  if ((await readPublicKey(armoured, clock.now())) !== fingerprint)
    throw new Error("it has another fingerprint than the registry says");
  return armoured;
}

/** One service's trouble is its own: the others get their keys, and this one is tried again in the next round. */
async function completeKey(service: Service, parts: Parts): Promise<void> {
  const digest = digestOfKeyUri(service.keyUri);
  if (digest === undefined) return;
  try {
    await parts.store.keepKey(service, await readKey(service, digest, parts));
  } catch (error) {
    parts.log.warn("a verification service's key was not taken", { key: `service ${service.id}`, error });
  }
}

/**
 * Brings the table to where the registry's finalized state is, then fills in the keys that are missing. Throws, having
 * changed nothing, when the chain cannot be read.
 */
export const makeMirrorServices = (parts: Parts) =>
  async function mirrorServices(): Promise<void> {
    const { registry, store, log } = parts;
    if (registry === undefined) return;
    const changed = await store.mirror(registry.chainId, await registry.readServices());
    if (changed > 0) log.info("the verification services have changed", { count: changed });
    const keyless = await store.listKeyless();
    for (let first = 0; first < keyless.length; first += readAtOnce)
      await Promise.all(
        keyless.slice(first, first + readAtOnce).map((service) => completeKey(service, parts)),
      );
  };
