import { z } from "zod";
import { newId } from "@countersign/platform/ids";
import type { Account } from "../accounts/index.ts";
import { makeSignedTokens, type TokenSigning } from "../sign-in/index.ts";
import { allScopes, type Scope } from "./scopes.ts";

/** The lifetime that the specification sets for access tokens. */
export const accessSeconds = 900;

/** The account, the program, the grant and the scopes of a token. */
type AccessSubject = {
  readonly userId: string;
  readonly account: Account;
  readonly clientId: string;
  readonly grantId: string;
  readonly scopes: readonly Scope[];
};

export type AccessTokens = {
  readonly mint: (subject: AccessSubject) => Promise<string>;
  /** Returns undefined for anything but a valid access token for /mcp. */
  readonly read: (token: string) => Promise<AccessSubject | undefined>;
  /** After this resolves, `mint` depends on nothing that could be unavailable. */
  readonly prepare: () => Promise<unknown>;
};

/** The form of RFC 9068 with two members of our own: `gid` is the grant, `eth` the account. */
const Claims = z.object({
  sub: z.uuid(),
  eth: z.templateLiteral(["0x", z.string()]),
  client_id: z.string().min(1),
  gid: z.uuid(),
  scope: z
    .string()
    .transform((text) => text.split(" "))
    .pipe(z.array(z.enum(allScopes))),
  jti: z.uuid(),
  exp: z.number(),
});

/** Signed with the sign-in keys for another audience, so that neither kind of token is accepted as the other. */
export function makeAccessTokens(signing: TokenSigning): AccessTokens {
  const tokens = makeSignedTokens(signing, {
    typ: "at+jwt",
    audience: `${signing.issuer}/mcp`,
    Claims,
    isShownOften: true,
  });
  return {
    mint: ({ userId, account, clientId, grantId, scopes }) =>
      tokens.mint(
        {
          ...{ sub: userId, eth: account, client_id: clientId, gid: grantId },
          scope: scopes.join(" "),
          jti: newId(),
        },
        new Date(signing.clock.now().getTime() + accessSeconds * 1000),
      ),
    read: async (token) => {
      const claims = await tokens.read(token);
      if (claims === undefined) return undefined;
      const { sub: userId, eth: account, client_id: clientId, gid: grantId, scope: scopes } = claims;
      return { userId, account, clientId, grantId, scopes };
    },
    prepare: signing.keys,
  };
}
