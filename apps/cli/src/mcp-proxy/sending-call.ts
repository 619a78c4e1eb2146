// One call of a tool that sends: everything that the server sends meanwhile is proposed with this call's request.
import type { Countersign } from "@countersign/sdk";
import { findNotApproved, guardRpc, type BareProvider } from "@countersign/sdk/rpc";
import { failure, membersOf, type Id, type Message } from "./message.ts";

export type CallOptions = {
  readonly node: BareProvider;
  readonly countersign: Countersign;
  readonly timeoutMs?: number;
  readonly maxFee?: bigint;
};

export type Call = {
  readonly words: string;
  /** Answers a request of the server to its node. */
  readonly request: (asked: RpcRequest) => Promise<unknown>;
  /** Nothing more is sent, and nothing that waits. */
  readonly cancel: () => void;
  /** Waits for everything that the server has sent, and returns what the agent is told. */
  readonly settle: (id: Id, response: Message) => Promise<Message>;
};

export type RpcRequest = { readonly method: string; readonly params?: unknown };

type Watch = {
  /** The call as the server got it. */
  readonly message: Message;
  readonly onReview: (reviewUrl: string) => void;
  readonly onProgress: (phase: string) => void;
  /** Called if the server seems to have sent something in another way. */
  readonly onBypass: () => void;
};

type Outcome = { readonly sent: string } | { readonly refused: string };

export function makeCall(words: string, options: CallOptions, watch: Watch): Call {
  const { node, countersign, timeoutMs, maxFee } = options;
  const controller = new AbortController();
  const outcomes: Promise<Outcome>[] = [];
  const guarded = guardRpc(node, {
    ...{ countersign, words, signal: controller.signal, onReview: watch.onReview },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(maxFee === undefined ? {} : { maxFee }),
    onProgress: ({ phase }) => {
      watch.onProgress(phase);
    },
    onHeld: (_, sent) => outcomes.push(outcomeOf(sent)),
  });
  const request: Call["request"] = async (asked) => {
    const isAction = /send|sign/i.test(asked.method);
    if (isAction && controller.signal.aborted) throw new Error("Not sent: the call was cancelled");
    const answer = guarded.request(asked);
    // The answer to a signed transaction only says that it is held. A refusal at once is final.
    if (asked.method === "eth_sendRawTransaction")
      answer.catch((error: unknown) => outcomes.push(Promise.resolve(refusalOf(error))));
    else if (isAction) outcomes.push(outcomeOf(answer));
    return answer;
  };
  return {
    ...{ words, request },
    cancel: () => {
      controller.abort(new Error("the call was cancelled"));
    },
    settle: async (id, response) => explain(id, response, await settled(outcomes), watch),
  };
}

const outcomeOf = (sent: Promise<unknown>): Promise<Outcome> =>
  sent.then((hash) => ({ sent: String(hash) }), refusalOf);

function refusalOf(error: unknown): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  const proposal = findNotApproved(error)?.transaction;
  return { refused: proposal === undefined ? message : `${message} (proposal ${proposal.requestHash})` };
}

/** A transaction that is sent while others are waited for is waited for as well. */
async function settled(outcomes: readonly Promise<Outcome>[]): Promise<readonly Outcome[]> {
  for (;;) {
    const { length } = outcomes;
    const found = await Promise.all(outcomes);
    if (outcomes.length === length) return found;
  }
}

function explain(id: Id, response: Message, outcomes: readonly Outcome[], watch: Watch): Message {
  const sent = [...new Set(outcomes.flatMap((one) => ("sent" in one ? [one.sent] : [])))];
  const refused = [...new Set(outcomes.flatMap((one) => ("refused" in one ? [one.refused] : [])))];
  if (refused.length > 0) return failure(id, refusalText(sent, refused));
  const isFailed = "error" in response || membersOf(response["result"])["isError"] === true;
  if (isFailed && sent.length > 0) return failure(id, failedText(response, sent));
  if (isFailed || sent.length > 0 || !hasNewHash(response, watch.message)) return response;
  watch.onBypass();
  return failure(id, bypassText);
}

const refusalText = (sent: readonly string[], refused: readonly string[]): string =>
  [
    ...(sent.length === 0
      ? ["Nothing was sent."]
      : [`Sent, before the rest was refused: ${sent.join(", ")}.`]),
    ...refused,
    "Tell the user the reason unchanged. Do not try variations.",
  ].join("\n");

/** For example if the server gave up waiting for a receipt while the owner decided. */
const failedText = (response: Message, sent: readonly string[]): string =>
  `The server reports an error, but this was approved and sent: ${sent.join(", ")}.\n${JSON.stringify(response["error"] ?? response["result"])}`;

/** Hashes that the server only repeats, as in a preview, say nothing. */
function hasNewHash(response: Message, asked: Message): boolean {
  const given = new Set(hashesIn(asked));
  return hashesIn(response).some((hash) => !given.has(hash));
}

const hashesIn = (message: Message): readonly string[] =>
  JSON.stringify(message)
    .toLowerCase()
    .match(/0x[0-9a-f]{64}(?![0-9a-f])/g) ?? [];

const bypassText =
  "The server returned a hash, but sent nothing through the guard: it uses another node, so this call was not verified. " +
  "The proxy refuses all further calls that send. Tell the user to give the server the guard's RPC URL.";
