import { z } from "zod";
import { newId } from "@countersign/platform/ids";
import type { Account } from "../accounts/index.ts";
import { makeSignedTokens, type TokenSigning } from "../sign-in/index.ts";
import { allScopes, type Scope } from "./scopes.ts";

/** What the specification says of access tokens. */
export const accessSeconds = 900;

/** For whom, through which program, by which grant, and what it may do. */
type AccessSubject = {
  readonly userId: string;
  readonly account: Account;
  readonly clientId: string;
  readonly grantId: string;
  readonly scopes: readonly Scope[];
};

export type AccessTokens = {
  readonly mint: (subject: AccessSubject) => Promise<string>;
  /** Undefined for anything but a good access token for /mcp. */
  readonly read: (token: string) => Promise<AccessSubject | undefined>;
  /** Once this is through, `mint` needs nothing that could be away. */
  readonly prepare: () => Promise<unknown>;
};

/** The shape of RFC 9068, and two members of our own: `gid` names the grant, `eth` the account. */
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

/** Signed with the keys of the sign-in, for another audience: neither kind of token is taken for the other. */
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
