import { randomBytes } from "node:crypto";

type Hex = `0x${string}`;

export type Keeper = {
  readonly ensure: (purpose: string, make: () => Buffer) => Promise<{ readonly value: Buffer }>;
};

type Options = {
  /** Its purpose in the secret store. */
  readonly purpose: string;
  readonly setting: string | undefined;
  readonly keeper: Keeper;
};

/**
 * Returns the private key of one of the service's own wallets. Without a setting it is the newest in the
 * secret store, which is created when first needed; a contract accepts it once the contract's owner has named
 * it there.
 */
export const makeSignerKey =
  ({ purpose, setting, keeper }: Options) =>
  async (): Promise<Hex> => {
    if (setting !== undefined) return setting as Hex;
    const { value } = await keeper.ensure(purpose, () => randomBytes(32));
    if (value.length !== 32) throw new Error(`the ${purpose} is not 32 bytes long`);
    return `0x${value.toString("hex")}`;
  };
