import { createHmac, createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import { loadOnce } from "../platform/load-once.ts";

/** The secret key of the HMACs under which API keys are stored. Several may be in use during a rotation. */
export type Pepper = { readonly id: string; readonly value: Buffer };

/** Newest first: new keys use the first; old keys may still use another. */
export type Peppers = () => Promise<readonly [Pepper, ...Pepper[]]>;

/** Cached per pepper: importing the bytes for each HMAC costs more than the HMAC itself. */
const prepared = new WeakMap<Buffer, KeyObject>();
function prepare(value: Buffer): KeyObject {
  const key = prepared.get(value) ?? createSecretKey(value);
  prepared.set(value, key);
  return key;
}

export const hmacOf = (key: string, { value }: Pepper): Buffer =>
  createHmac("sha256", prepare(value)).update(key).digest();

const purpose = "api-key-pepper";

/** Reads the peppers from the secret store, once per process. Adding a pepper takes a restart. */
export function makePeppers(keeper: {
  readonly ensure: (purpose: string, make: () => Buffer) => Promise<unknown>;
  readonly listCurrent: (purpose: string) => Promise<readonly Pepper[]>;
}): Peppers {
  return loadOnce(async () => {
    await keeper.ensure(purpose, () => randomBytes(32));
    const [first, ...others] = await keeper.listCurrent(purpose);
    if (first === undefined) throw new Error("no pepper for API keys in the secret store");
    return [first, ...others] as const;
  });
}
