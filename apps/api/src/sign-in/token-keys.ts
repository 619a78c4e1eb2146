import { generateKeyPairSync } from "node:crypto";
import { importJWK, type CryptoKey, type JWK } from "jose";
import type { Clock } from "@countersign/platform/clock";

/** A token signing key in the secret store. */
export type KeptTokenKey = { readonly id: string; readonly value: Buffer; readonly createdAt: Date };

/** The keys at one moment: the one that signs, and all that verify. */
export type TokenKeys = {
  readonly signing: { readonly kid: string; readonly key: CryptoKey };
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  /** The public keys, for /.well-known/jwks.json. */
  readonly published: readonly JWK[];
};

const algorithm = "ES256";

/** Creates a private key as a JWK, to be stored encrypted. */
export const makeTokenKey = (): Buffer =>
  Buffer.from(
    JSON.stringify(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" })),
  );

const publicPart = ({ kty, crv, x, y }: JWK): JWK => ({
  ...(kty ? { kty } : {}),
  ...(crv ? { crv } : {}),
  ...(x ? { x } : {}),
  ...(y ? { y } : {}),
});

async function readKey(
  value: Buffer,
): Promise<{ readonly jwk: JWK; readonly privateKey: CryptoKey; readonly publicKey: CryptoKey }> {
  const jwk = JSON.parse(value.toString()) as JWK;
  const [privateKey, publicKey] = await Promise.all([
    importJWK(jwk, algorithm),
    importJWK(publicPart(jwk), algorithm),
  ]);
  if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array)
    throw new Error("a token key is not an EC key");
  return { jwk: publicPart(jwk), privateKey, publicKey };
}

/**
 * All stored keys verify. The newest signs once it has been published long enough for every cache of the set;
 * a first key signs at once. So a key can be added at any time without ending sessions.
 */
export async function readTokenKeys(
  kept: readonly KeptTokenKey[],
  publishedBefore: Date,
): Promise<TokenKeys> {
  const oldestFirst = [...kept].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const read = await Promise.all(oldestFirst.map(async (key) => ({ ...key, ...(await readKey(key.value)) })));
  const signing = read.findLast(({ createdAt }) => createdAt <= publishedBefore) ?? read[0];
  if (signing === undefined) throw new Error("no key to sign tokens with");
  return {
    signing: { kid: signing.id, key: signing.privateKey },
    verifying: new Map(read.map(({ id, publicKey }) => [id, publicKey])),
    published: read.map(({ id, jwk }) => ({ ...jwk, kid: id, alg: algorithm, use: "sig" })),
  };
}

/** The store of the keys. */
export type KeyKeeper = {
  readonly ensure: (purpose: string, make: () => Buffer) => Promise<unknown>;
  readonly listCurrent: (purpose: string) => Promise<readonly KeptTokenKey[]>;
};

export const tokenKeyPurpose = "token-signing";
const publishedSeconds = 24 * 60 * 60;
/** A key that another process added is noticed within this time. */
const rememberedMs = 60_000;

/** Reads the keys at most once a minute. The first process creates the first key. */
export function makeTokenKeySource({
  keeper,
  clock,
}: {
  readonly keeper: KeyKeeper;
  readonly clock: Clock;
}): () => Promise<TokenKeys> {
  let latest: { readonly at: number; readonly keys: Promise<TokenKeys> } | undefined;
  const load = async (now: Date): Promise<TokenKeys> => {
    await keeper.ensure(tokenKeyPurpose, makeTokenKey);
    return readTokenKeys(
      await keeper.listCurrent(tokenKeyPurpose),
      new Date(now.getTime() - publishedSeconds * 1000),
    );
  };
  return async () => {
    const now = clock.now();
    if (latest === undefined || now.getTime() - latest.at >= rememberedMs) {
      const previous = latest;
      // If they cannot be read now, the cached ones are still valid.
      latest = {
        at: now.getTime(),
        keys: load(now).catch((error: unknown) => previous?.keys ?? Promise.reject(error as Error)),
      };
      latest.keys.catch(() => (latest = previous));
    }
    return latest.keys;
  };
}
