// The calls that send, one at a time, so that each transaction belongs to one request.
import { setTimeout as sleep } from "node:timers/promises";
import { guardRpc } from "@countersign/sdk/rpc";
import { failure, type Id, type Message } from "./message.ts";
import { reportProgress, type Progress } from "./report-progress.ts";
import { makeCall, type Call, type CallOptions, type RpcRequest } from "./sending-call.ts";

export type Wires = {
  readonly toHost: (message: Message) => void;
  readonly toServer: (message: Message) => void;
  readonly notice: (text: string) => void;
};

export type TurnOptions = CallOptions & {
  /** How long a cancelled call may still have effects in the server. Default: 60,000. */
  readonly drainMs?: number;
  /** Between two messages of progress. Default: 10,000. */
  readonly beatMs?: number;
};

export type Turns = {
  /** Forwards the call when its turn comes, and answers the host once everything that it sent is decided. */
  readonly start: (id: Id, message: Message, words: string) => void;
  readonly isInProgress: (id: Id) => boolean;
  readonly cancel: (id: Id) => void;
  /** Returns whether the response belongs to a call that sends. */
  readonly answer: (id: Id, response: Message) => boolean;
  /** Answers a request of the server to its node. */
  readonly request: (asked: RpcRequest) => Promise<unknown>;
  /** Drops everything that waits. */
  readonly end: () => void;
};

const lockedText =
  "Nothing was sent. The proxy refuses calls that send, because the server has sent something without the guard. Tell the user.";

type State = {
  /** Of the calls that run or wait. */
  readonly cancels: Map<Id, () => void>;
  readonly answers: Map<Id, (response: Message) => void>;
  current: Call | undefined;
  isLocked: boolean;
};

export function takeTurns(options: TurnOptions, wires: Wires): Turns {
  const state: State = { cancels: new Map(), answers: new Map(), current: undefined, isLocked: false };
  const { cancels, answers } = state;
  const idle = guardRpc(options.node, { countersign: options.countersign, words: refuseOutside });
  let turn: Promise<unknown> = Promise.resolve();

  const start: Turns["start"] = (id, message, words) => {
    const progress = reportProgress(message, { toHost: wires.toHost, everyMs: options.beatMs ?? 10_000 });
    const call = makeCall(words, options, { message, ...watchOf(progress, state, wires) });
    let isWanted = true;
    cancels.set(id, () => {
      isWanted = false;
    });
    turn = turn
      .then(async () => (isWanted ? run({ id, message, call }, state, { ...wires, ...options }) : undefined))
      .catch((error: unknown) => {
        wires.toHost(failure(id, `The call failed: ${String(error)}`));
      })
      .finally(() => {
        progress.stop();
        answers.delete(id);
        cancels.delete(id);
        state.current = undefined;
      });
  };

  return {
    start,
    isInProgress: (id) => cancels.has(id) || answers.has(id),
    cancel: (id) => {
      cancels.get(id)?.();
      cancels.delete(id);
    },
    answer: (id, response) => {
      answers.get(id)?.(response);
      return answers.has(id);
    },
    request: async (asked) => (state.current ?? idle).request(asked),
    end: () => {
      for (const cancel of cancels.values()) cancel();
    },
  };
}

function refuseOutside(): never {
  throw new Error("Not sent: the proxy sends only during a call with the user's request");
}

type Running = { readonly id: Id; readonly message: Message; readonly call: Call };

async function run(
  { id, message, call }: Running,
  state: State,
  { toHost, toServer, drainMs = 60_000 }: Wires & TurnOptions,
): Promise<void> {
  if (state.isLocked) {
    toHost(failure(id, lockedText));
    return;
  }
  state.current = call;
  const { promise: cancelled, resolve: cancel } = Promise.withResolvers<undefined>();
  state.cancels.set(id, () => {
    call.cancel();
    cancel(undefined);
  });
  const answered = new Promise<Message>((resolve) => state.answers.set(id, resolve));
  toServer(message);
  const response = await Promise.race([answered, cancelled]);
  if (response === undefined) {
    // The server may still be about to send for the cancelled call, and that must not count for the next one.
    await Promise.race([answered, sleep(drainMs, undefined, { ref: false })]);
    return;
  }
  const settled = await call.settle(id, response);
  // A call that was cancelled meanwhile gets no answer.
  if (state.cancels.has(id)) toHost(settled);
}

/** Reports what a call waits for: to the host as progress, and on stderr with one line. */
const watchOf = (progress: Progress, state: State, { notice }: Wires) => ({
  onReview: (reviewUrl: string): void => {
    const text = `waiting for approval. Review it at ${reviewUrl}`;
    notice(`Countersign: ${text}`);
    progress.say(text);
  },
  onProgress: (phase: string): void => {
    progress.say(`the proposal is ${phase}`);
  },
  onBypass: (): void => {
    state.isLocked = true;
    notice("Countersign: the server has sent something without the guard. Calls that send are refused now.");
  },
});
