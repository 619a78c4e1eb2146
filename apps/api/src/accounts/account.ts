import { getAddress } from "viem/utils";
import { z } from "zod";

/** An Ethereum address. Kept in lower case throughout, so that equal accounts are equal strings. */
export type Account = `0x${string}`;

/** Accepts any letter case and returns lower case. */
export const EthereumAddress = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "must be an Ethereum address")
  .transform((address) => address.toLowerCase() as Account)
  .meta({ description: "Ethereum address, 0x-prefixed hex" });

/** Returns the address with its EIP-55 checksum, as clients see it. */
export const shown = (account: Account): string => getAddress(account);

export type User = { readonly id: string; readonly account: Account; readonly createdAt: Date };

/** A user as answers show it. */
export const UserIdentity = z
  .object({ id: z.string(), ethereumAddress: z.string() })
  .meta({ id: "UserIdentity", description: "An account's user, identified by its Ethereum address." });

export const identityOf = ({ id, account }: Pick<User, "id" | "account">): z.infer<typeof UserIdentity> => ({
  id,
  ethereumAddress: shown(account),
});
