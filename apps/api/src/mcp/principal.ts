import type { Account } from "../accounts/index.ts";
import type { KeyCaller } from "../api-keys/index.ts";
import type { OAuthCaller } from "../oauth/index.ts";

/** An MCP client: a program that an owner connected through OAuth, or one with the owner's API key. */
export type Principal = {
  readonly caller: OAuthCaller | KeyCaller;
  readonly account: Account;
  /** Identifies the program independently of its tokens: `oauth:<client id>` or `key:<key id>`. */
  readonly client: string;
};
