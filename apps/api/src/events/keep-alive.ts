import type { Readable } from "node:stream";
import { end, push } from "./push.ts";

/** Keeps idle streams open by a line that says nothing, because proxies close what is silent. One timer for all of them. */
export type KeepAlive = {
  /** Until it closes. */
  readonly add: (stream: Readable) => void;
  /** Ends them all: a service that stops would wait for them. */
  readonly endAll: () => void;
};

export function makeKeepAlive(everyMs: number): KeepAlive {
  const streams = new Set<Readable>();
  let timer: NodeJS.Timeout | undefined;
  const beat = (): void => {
    for (const stream of streams) push(stream, ": still here\n\n");
  };
  // One function for all streams, which know themselves by `this`.
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
