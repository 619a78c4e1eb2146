import { Readable } from "node:stream";

/** A reader that falls this far behind is let go; it comes back with the last event it has. */
const mostBuffered = 1024 * 1024;

/** Shared by all of them: what there is to read is pushed. */
const pushed = { read: () => undefined };
/** Those that were told to end and may still be read to it. */
const ended = new WeakSet<Readable>();

export const makePushed = (): Readable => new Readable(pushed);

export function push(stream: Readable, chunk: string | Uint8Array): void {
  if (stream.destroyed || ended.has(stream)) return;
  stream.push(chunk);
  if (stream.readableLength > mostBuffered) stream.destroy();
}

/** What was pushed is still read, then the stream is over. */
export function end(stream: Readable): void {
  if (stream.destroyed || ended.has(stream)) return;
  ended.add(stream);
  stream.push(null);
}
