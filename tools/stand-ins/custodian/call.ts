import type { IncomingHttpHeaders } from "node:http";
import type { Claims } from "./tokens.ts";
import type { Reply } from "./transactions.ts";

export type Call = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};
/** A silence is a request that is never answered, a hang-up one whose connection is reset. */
export type Outcome = { readonly claims?: Claims | undefined } & (
  { readonly reply: Reply } | { readonly without: "silence" | "hang-up" }
);
