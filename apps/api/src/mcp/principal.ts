import type { Account } from "../accounts/index.ts";
import type { KeyCaller } from "../api-keys/index.ts";
import type { OAuthCaller } from "../oauth/index.ts";

/** Whoever speaks MCP with us: a program that an owner let in, or one with a key of the owner's. */
export type Principal = {
  readonly caller: OAuthCaller | KeyCaller;
  readonly account: Account;
  /** Names the program, whichever of its tokens it shows: `oauth:<client id>` or `key:<key id>`. */
  readonly client: string;
};
