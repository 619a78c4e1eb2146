import {
  inSpan,
  inTrace,
  isRecording,
  readTraceparent,
  requestHashIn,
  type Span,
} from "@countersign/platform/trace";
import type { Posted } from "../adapters/webhooks/index.ts";
import type { ChannelKind } from "./channel.ts";
import type { Batch } from "./schedule.ts";
import type { Send } from "./send.ts";

/** Returns the trace in which a transaction was proposed, if it is known. */
export type ReadTrace = (requestHash: string) => Promise<string | undefined>;

type Parts = { readonly kind: ChannelKind; readonly send: Send; readonly readTrace: ReadTrace };

/** Sends messages in the trace of the transaction that they are about. Of several sent as one, in that of the first. */
export async function sendTraced(messages: Batch, { kind, send, readTrace }: Parts): Promise<Posted> {
  const { event } = messages[0];
  if (event === null || !isRecording()) return send(messages);
  const post = async (span: Span | undefined): Promise<Posted> => {
    const posted = await send(messages);
    if (posted.status !== null) span?.set({ "http.response.status_code": posted.status });
    if (posted.error !== null) span?.fail(posted.status === null ? "no answer" : String(posted.status));
    return posted;
  };
  // A trace that cannot be read must not keep a message from being sent.
  const parent = readTraceparent(await readTrace(event.requestHash).catch(() => undefined));
  const attributes = { "countersign.channel": kind, ...requestHashIn(event.requestHash) };
  const options = { kind: "client", attributes } as const;
  return parent === undefined
    ? inSpan(`notify ${kind}`, options, post)
    : inTrace(`notify ${kind}`, { ...options, parent }, post);
}
