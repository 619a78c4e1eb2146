/** How a client authenticates at the token endpoint. */
export const authMethods = ["none", "client_secret_post", "client_secret_basic"] as const;
export type AuthMethod = (typeof authMethods)[number];

/** A program that asks owners for access. Its name and its addresses are its own claims. */
export type Client = {
  readonly id: string;
  readonly registration: "dynamic" | "metadata-document";
  /** SHA-256. Null for a public client. */
  readonly secretHash: Buffer | null;
  readonly authMethod: AuthMethod;
  readonly redirectUris: readonly string[];
  readonly name: string;
  readonly clientUri: string | null;
};

/** Returns undefined for an unknown client. Throws `documentUnavailable` if its document cannot be fetched. */
export type FindClient = (id: string) => Promise<Client | undefined>;
