// Waits briefly for the verdict while a client watches, and reports progress.
import type { Clock } from "@countersign/platform/clock";
import type { Hex } from "@countersign/wire";
import { statusOf, type ApprovalStatusReader, type StatusAnswer } from "../transactions/index.ts";
import type { Principal } from "./principal.ts";

export const steps = [
  "Accepted and recorded",
  "Encrypted and queued for the verifier",
  "The verifier is checking it",
  "Verdict received",
] as const;

/** One to four. */
export type Step = 1 | 2 | 3 | 4;

type State = StatusAnswer["state"];

const isDecided = (state: State): boolean => state.orion !== null || statusOf(state) !== "PENDING";

function stepOf(state: State): Step {
  if (isDecided(state)) return 4;
  if (state.phase === "RECEIVED") return 1;
  return state.phase === "PINNED" ? 2 : 3;
}

type Parts = {
  readonly status: Pick<ApprovalStatusReader, "read">;
  readonly clock: Clock;
  readonly waitSeconds: number;
};

type Followed = {
  readonly requestHash: Hex;
  readonly caller: Principal["caller"];
  readonly tell: (step: Step) => Promise<void>;
  readonly signal: AbortSignal;
};

/** Returns when there is a verdict, at the timeout, when this process stops, or when the client has disconnected. */
export const makeFollow = ({ status, clock, waitSeconds }: Parts) =>
  async function follow({ requestHash, caller, tell, signal }: Followed): Promise<void> {
    const until = clock.now().getTime() + waitSeconds * 1000;
    const leftSeconds = (): number => Math.max(0, (until - clock.now().getTime()) / 1000);
    let told: Step = 1;
    let knows: string | undefined;
    await tell(told);
    while (!signal.aborted) {
      const left = knows === undefined ? 0 : leftSeconds();
      const { state, etag } = await status.read({
        ...{ requestHash, caller, knows },
        view: "records",
        waitSeconds: left,
      });
      const step = stepOf(state);
      if (step > told) await tell((told = step));
      // A wait that ends without a change is over, or this process stops.
      if (step === 4 || leftSeconds() === 0 || etag === knows) return;
      knows = etag;
    }
  };
