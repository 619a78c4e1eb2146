import { randomBytes } from "node:crypto";
import type { Hex } from "./pgp-key.ts";

const purpose = "registrar-key";

type Keeper = {
  readonly ensure: (purpose: string, make: () => Buffer) => Promise<{ readonly value: Buffer }>;
};

/**
 * The private key that the service records accounts with. Without a setting it is the newest in the secret store, where the
 * first is made when it is first needed; the registry obeys it once its owner has named it the registrar.
 */
export const makeRegistrarKey =
  ({ setting, keeper }: { readonly setting: string | undefined; readonly keeper: Keeper }) =>
  async (): Promise<Hex> => {
    if (setting !== undefined) return setting as Hex;
    const { value } = await keeper.ensure(purpose, () => randomBytes(32));
    if (value.length !== 32) throw new Error("the registrar's key is not 32 bytes long");
    return `0x${value.toString("hex")}`;
  };
