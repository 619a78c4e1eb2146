import { getAddress } from "viem/utils";
import { z } from "zod";

/** An account is an Ethereum address. Inside we always have it in lower case, so that equal accounts are equal strings. */
export type Account = `0x${string}`;

/** Any letter case is accepted. */
export const EthereumAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address")
  .transform((address) => address.toLowerCase() as Account)
  .meta({ description: "Ethereum address, 0x-prefixed hex" });

/** As it is shown to people and clients: with the checksum of EIP-55 in its letter case. */
export const shown = (account: Account): string => getAddress(account);

export type User = { readonly id: string; readonly account: Account; readonly createdAt: Date };

/** How a user appears in answers. */
export const UserIdentity = z
  .object({ id: z.string(), ethereumAddress: z.string() })
  .meta({ id: "UserIdentity" });

export const identityOf = ({ id, account }: Pick<User, "id" | "account">): z.infer<typeof UserIdentity> => ({
  id,
  ethereumAddress: shown(account),
});
