import { generateKeyPairSync } from "node:crypto";
import { importJWK, type CryptoKey, type JWK } from "jose";
import type { Clock } from "@countersign/platform/clock";

/** A key that signs tokens, as it is kept in the secret store. */
export type KeptTokenKey = { readonly id: string; readonly value: Buffer; readonly createdAt: Date };

/** The keys of a moment: the one that signs, and all that verify. */
export type TokenKeys = {
  readonly signing: { readonly kid: string; readonly key: CryptoKey };
  readonly verifying: ReadonlyMap<string, CryptoKey>;
  /** What everybody may know, for /.well-known/jwks.json. */
  readonly published: readonly JWK[];
};

const algorithm = "ES256";

/** The private key as a JWK, to be kept encrypted. */
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
 * All kept keys verify. The newest signs, once it has been published long enough for everybody who caches the set to know
 * it; a first key signs at once. So a new key can be added at any time and nobody is signed out.
 */
export async function readTokenKeys(
  kept: readonly KeptTokenKey[],
  publishedBefore: Date,
): Promise<TokenKeys> {
  const oldestFirst = [...kept].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
  const read = await Promise.all(oldestFirst.map(async (key) => ({ ...key, ...(await readKey(key.value)) })));
  const signing = read.findLast(({ createdAt }) => createdAt <= publishedBefore) ?? read[0];
  if (signing === undefined) throw new Error("there is no key to sign tokens with");
  return {
    signing: { kid: signing.id, key: signing.privateKey },
    verifying: new Map(read.map(({ id, publicKey }) => [id, publicKey])),
    published: read.map(({ id, jwk }) => ({ ...jwk, kid: id, alg: algorithm, use: "sig" })),
  };
}

/** Where the keys are kept. */
export type KeyKeeper = {
  readonly ensure: (purpose: string, make: () => Buffer) => Promise<unknown>;
  readonly listCurrent: (purpose: string) => Promise<readonly KeptTokenKey[]>;
};

export const tokenKeyPurpose = "token-signing";
const publishedSeconds = 24 * 60 * 60;
/** A key that another process added is noticed within this time. */
const rememberedMs = 60_000;

/** The keys from the keeper, asked for at most once a minute. The first process that ever asks makes the first one. */
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
      // If they cannot be had just now, those we have are still good.
      latest = {
        at: now.getTime(),
        keys: load(now).catch((error: unknown) => previous?.keys ?? Promise.reject(error as Error)),
      };
      latest.keys.catch(() => (latest = previous));
    }
    return latest.keys;
  };
}
