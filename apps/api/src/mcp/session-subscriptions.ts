import type { Hex } from "@countersign/wire";
import type { Principal } from "./principal.ts";

/** Which transactions' changes the session's stream tells of. */
export type SessionSubscriptions = {
  readonly subscribe: (requestHash: Hex) => Promise<void>;
  readonly unsubscribe: (requestHash: Hex) => Promise<void>;
};

/** Who asks, in one request. */
export type Given = {
  readonly principal: Principal;
  readonly ip: string;
  /** None where the client keeps no session: it then says in each request what it listens to. */
  readonly session: SessionSubscriptions | undefined;
};
