import { Readable } from "node:stream";

/** A reader that falls this far behind is disconnected. It reconnects with its last event. */
const mostBuffered = 1024 * 1024;

/** Shared by all streams. Data is pushed, so read() has nothing to do. */
const pushed = { read: () => undefined };
/** Streams that have been told to end and may still have unread data. */
const ended = new WeakSet<Readable>();

export const makePushed = (): Readable => new Readable(pushed);

export function push(stream: Readable, chunk: string | Uint8Array): void {
  if (stream.destroyed || ended.has(stream)) return;
  stream.push(chunk);
  if (stream.readableLength > mostBuffered) stream.destroy();
}

/** Ends the stream after its pushed data has been read. */
export function end(stream: Readable): void {
  if (stream.destroyed || ended.has(stream)) return;
  ended.add(stream);
  stream.push(null);
}
