import { allScopes } from "../oauth/index.ts";

/** Where a client learns how to get a token for /mcp. */
export const metadataUrlOf = (baseUrl: string): string =>
  `${baseUrl}/.well-known/oauth-protected-resource/mcp`;

const refusal = `error="invalid_token", error_description="The credential is invalid or expired", `;

/** RFC 6750 and RFC 9728. Only a client that sent a credential is told that it is invalid. */
export const makeChallenge =
  (baseUrl: string) =>
  ({ isPresented }: { readonly isPresented: boolean }): string =>
    `Bearer ${isPresented ? refusal : ""}resource_metadata="${metadataUrlOf(baseUrl)}", scope="${allScopes.join(" ")}"`;
