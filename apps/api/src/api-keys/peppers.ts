import { createHmac, createSecretKey, randomBytes, type KeyObject } from "node:crypto";
import { loadOnce } from "../platform/load-once.ts";

/** A secret that every key's HMAC is made with. It lives in the secret store; several may be in use during a rotation. */
export type Pepper = { readonly id: string; readonly value: Buffer };

/** Newest first: new keys get the first, old keys may still be under another. */
export type Peppers = () => Promise<readonly [Pepper, ...Pepper[]]>;

/** Made once for each pepper: to give the bytes every time costs more than the HMAC itself. */
const prepared = new WeakMap<Buffer, KeyObject>();
function prepare(value: Buffer): KeyObject {
  const key = prepared.get(value) ?? createSecretKey(value);
  prepared.set(value, key);
  return key;
}

export const hmacOf = (key: string, { value }: Pepper): Buffer =>
  createHmac("sha256", prepare(value)).update(key).digest();

const purpose = "api-key-pepper";

/** From the secret store. Peppers do not change while a process runs; adding one takes a restart. */
export function makePeppers(keeper: {
  readonly ensure: (purpose: string, make: () => Buffer) => Promise<unknown>;
  readonly listCurrent: (purpose: string) => Promise<readonly Pepper[]>;
}): Peppers {
  return loadOnce(async () => {
    await keeper.ensure(purpose, () => randomBytes(32));
    const [first, ...others] = await keeper.listCurrent(purpose);
    if (first === undefined) throw new Error("there is no pepper for API keys");
    return [first, ...others] as const;
  });
}
