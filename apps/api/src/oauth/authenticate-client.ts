import { timingSafeEqual } from "node:crypto";
import { Problem } from "@countersign/platform/errors";
import type { Client, FindClient } from "./client.ts";
import { oauthErrors } from "./errors.ts";
import { hashOfSecret } from "./secret-text.ts";

type Presented = {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly form: {
    readonly client_id?: string | undefined;
    readonly client_secret?: string | undefined;
  };
};
type Claim = { readonly id: string; readonly secret: string };

const basic = /^basic +([a-z0-9+/]+={0,2})$/i;

/** RFC 6749 form-encodes both halves. Our ids and secrets are the same before and after, because clients forget it. */
function decode(half: string): string | undefined {
  try {
    return decodeURIComponent(half.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function readBasic(header: string): Claim | undefined {
  const credentials = Buffer.from(basic.exec(header)?.[1] ?? "", "base64").toString();
  const colon = credentials.indexOf(":");
  if (colon < 1) return undefined;
  const [id, secret] = [decode(credentials.slice(0, colon)), decode(credentials.slice(colon + 1))];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

/** An empty secret counts as none, however it is sent (RFC 6749, 2.3.1). */
function provesItself({ secretHash }: Client, secret: string): boolean {
  return secretHash === null ? secret === "" : timingSafeEqual(hashOfSecret(secret), secretHash);
}

/** An unavailable document must not look like an unknown client, which would discard its tokens. */
const askedAgainLater = (error: unknown): never => {
  if (error instanceof Problem && error.code === oauthErrors.documentUnavailable.code)
    throw oauthErrors.temporarilyUnavailable({ cause: error });
  throw error;
};

/**
 * Authenticates the client at the token endpoint. A client with a secret may send it in the header or in the
 * body, whichever it registered, but not omit it or send it twice. A public client must not send one.
 */
export function makeAuthenticateClient({
  findClient,
  realm,
}: {
  readonly findClient: FindClient;
  readonly realm: string;
}): (presented: Presented) => Promise<Client> {
  const challenge = { "WWW-Authenticate": `Basic realm="${realm}"` };
  const readClaim = (
    header: string | undefined,
    { client_id: id = "", client_secret: secret = "" }: Presented["form"],
  ): Claim => {
    if (header === undefined) return { id, secret };
    if (secret !== "") throw oauthErrors.invalidRequest();
    const claim = readBasic(header);
    if (claim === undefined) throw oauthErrors.invalidClient({ headers: challenge });
    if (id !== "" && id !== claim.id) throw oauthErrors.invalidRequest();
    return claim;
  };
  return async ({ headers, form }) => {
    const { authorization: header } = headers;
    const claim = readClaim(typeof header === "object" ? header.join() : header, form);
    if (claim.id === "") throw oauthErrors.invalidRequest({ message: "client_id is missing" });
    const client = await findClient(claim.id).catch(askedAgainLater);
    if (client === undefined || !provesItself(client, claim.secret))
      throw oauthErrors.invalidClient({ headers: challenge });
    return client;
  };
}
