import { randomBytes } from "node:crypto";

type Hex = `0x${string}`;

type Keeper = {
  readonly ensure: (purpose: string, make: () => Buffer) => Promise<{ readonly value: Buffer }>;
};

type Options = {
  /** Its name in the secret store. */
  readonly purpose: string;
  readonly setting: string | undefined;
  readonly keeper: Keeper;
};

/**
 * The private key of a wallet that the service itself signs with. Without a setting it is the newest in the secret store,
 * where the first is made when it is first needed; a contract obeys it once its owner has named it there.
 */
export const makeSignerKey =
  ({ purpose, setting, keeper }: Options) =>
  async (): Promise<Hex> => {
    if (setting !== undefined) return setting as Hex;
    const { value } = await keeper.ensure(purpose, () => randomBytes(32));
    if (value.length !== 32) throw new Error(`the ${purpose} is not 32 bytes long`);
    return `0x${value.toString("hex")}`;
  };
