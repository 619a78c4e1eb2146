import type { Readable } from "node:stream";
import { end, push } from "./push.ts";

/**
 * Keeps idle streams open with a comment line, because proxies close silent connections. One timer serves all
 * streams.
 */
export type KeepAlive = {
  /** Keeps the stream alive until it closes. */
  readonly add: (stream: Readable) => void;
  /** Ends all streams, which would otherwise delay a shutdown. */
  readonly endAll: () => void;
};

export function makeKeepAlive(everyMs: number): KeepAlive {
  const streams = new Set<Readable>();
  let timer: NodeJS.Timeout | undefined;
  const beat = (): void => {
    for (const stream of streams) push(stream, ": keep-alive\n\n");
  };
  // One function for all streams; `this` is the stream.
  function forget(this: Readable): void {
    streams.delete(this);
    if (streams.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
  return {
    add: (stream) => {
      streams.add(stream);
      timer ??= setInterval(beat, everyMs);
      stream.once("close", forget);
    },
    endAll: () => {
      streams.forEach(end);
    },
  };
}
