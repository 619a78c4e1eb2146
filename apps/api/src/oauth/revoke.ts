import type { AccessTokens } from "./access-token.ts";
import type { makeAuthenticateClient } from "./authenticate-client.ts";
import { blameOurselves } from "./issue-tokens.ts";
import { hashOfSecret } from "./secret-text.ts";
import type { GrantStore } from "./store/grants.ts";

type Parts = {
  readonly authenticateClient: ReturnType<typeof makeAuthenticateClient>;
  readonly accessTokens: Pick<AccessTokens, "read">;
  readonly grants: Pick<GrantStore, "endByClient" | "endByRefreshToken">;
};

/**
 * RFC 7009. Either token of a client ends the whole grant. An unknown token, or one of another client,
 * changes nothing and gets the same answer. The hint is not needed: the two kinds cannot be confused.
 */
export function makeRevoke({ authenticateClient, accessTokens, grants }: Parts) {
  const revoke = async (
    presented: Parameters<typeof authenticateClient>[0],
    token: string,
  ): Promise<void> => {
    const client = await authenticateClient(presented);
    const subject = await accessTokens.read(token);
    if (subject === undefined) await grants.endByRefreshToken(hashOfSecret(token), client.id);
    else await grants.endByClient(subject.grantId, client.id);
  };
  return (...given: Parameters<typeof revoke>): Promise<void> => revoke(...given).catch(blameOurselves);
}
