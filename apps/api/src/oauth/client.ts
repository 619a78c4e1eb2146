/** How a client proves at the token endpoint that it is the one it says. */
export const authMethods = ["none", "client_secret_post", "client_secret_basic"] as const;
export type AuthMethod = (typeof authMethods)[number];

/** A program that asks owners for access. Its name and its addresses are what it says of itself. */
export type Client = {
  readonly id: string;
  readonly registration: "dynamic" | "metadata-document";
  /** SHA-256. None for a public client. */
  readonly secretHash: Buffer | null;
  readonly authMethod: AuthMethod;
  readonly redirectUris: readonly string[];
  readonly name: string;
  readonly clientUri: string | null;
};

/** Undefined if there is none; throws `documentUnavailable` if it is named by a document that cannot be had. */
export type FindClient = (id: string) => Promise<Client | undefined>;
