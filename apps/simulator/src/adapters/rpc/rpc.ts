// JSON-RPC over HTTP, in batches, bounded in time and size. Messages of errors are ours: a node's text and address stay out.
import { callOther } from "@countersign/platform/trace";
import { z } from "zod";

/** The node did not answer, or not in the form of the protocol. */
export class NodeFailed extends Error {
  override readonly name = "NodeFailed";
}

type RpcCall = { readonly method: string; readonly params: readonly unknown[] };

/** `undefined`: the node answered this call with an error. */
export type RpcAnswer = { readonly result: unknown } | undefined;

export type Rpc = {
  /** Returns the answers in the order of the calls. Throws NodeFailed. */
  readonly ask: (calls: readonly RpcCall[]) => Promise<readonly RpcAnswer[]>;
  /** HTTP requests so far. */
  readonly requests: () => number;
};

type Options = { readonly url: string; readonly timeoutMs: number; readonly signal?: AbortSignal };

const maxAnswerBytes = 16 * 2 ** 20;
/** Hosted nodes accept about a hundred. */
const maxBatch = 80;

const Answers = z.array(
  z.object({ id: z.number(), result: z.unknown().optional(), error: z.unknown().optional() }),
);

export function makeRpc({ url, timeoutMs, signal }: Options): Rpc {
  let requests = 0;
  const send = async (calls: readonly RpcCall[]): Promise<readonly RpcAnswer[]> => {
    requests += 1;
    const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: "2.0", id, ...call })));
    const limit = AbortSignal.timeout(timeoutMs);
    const text = await fetchText(url, body, signal === undefined ? limit : AbortSignal.any([limit, signal]));
    const answers = Answers.safeParse(parse(text));
    if (!answers.success) throw new NodeFailed("a node did not answer in the form of JSON-RPC");
    const byId = new Map(answers.data.map((one) => [one.id, one]));
    return calls.map((_, id) => {
      const answer = byId.get(id);
      return answer === undefined || answer.error !== undefined ? undefined : { result: answer.result };
    });
  };
  return {
    ask: async (calls) => {
      const answers: RpcAnswer[] = [];
      for (let at = 0; at < calls.length; at += maxBatch)
        answers.push(...(await send(calls.slice(at, at + maxBatch))));
      return answers;
    },
    requests: () => requests,
  };
}

async function fetchText(url: string, body: string, signal: AbortSignal): Promise<string> {
  try {
    const headers = { "content-type": "application/json" };
    // A redirect would send the call to an address that the operator did not choose.
    const response = await callOther({ to: "chain", method: "POST" }, () =>
      fetch(url, { method: "POST", headers, body, signal, redirect: "error" }),
    );
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      size += part.byteLength;
      if (size > maxAnswerBytes) throw new NodeFailed("a node answered with too many bytes");
      parts.push(part);
    }
    return Buffer.concat(parts).toString("utf8");
  } catch (error) {
    if (error instanceof NodeFailed) throw error;
    throw new NodeFailed(signal.aborted ? "a node did not answer in time" : "a node could not be reached");
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
