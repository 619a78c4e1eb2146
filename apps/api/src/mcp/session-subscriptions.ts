import type { Hex } from "@countersign/wire";
import type { Principal } from "./principal.ts";

/** The transactions whose changes the session's stream reports. */
export type SessionSubscriptions = {
  readonly subscribe: (requestHash: Hex) => Promise<void>;
  readonly unsubscribe: (requestHash: Hex) => Promise<void>;
};

/** The caller of one request. */
export type Given = {
  readonly principal: Principal;
  readonly ip: string;
  /** Undefined for a client without a session, which lists its subscriptions in each request. */
  readonly session: SessionSubscriptions | undefined;
};
