// Where log lines go: standard output, several lines with one write. A write for each line was 40 % of a request's cost.
import { writeSync } from "node:fs";

export type Output = {
  readonly write: (line: string) => void;
  /** Writes everything collected so far, before it returns. */
  readonly flush: () => void;
};

/** The longest time a line waits. It is lost if the process is killed with SIGKILL in the meantime. */
const longestMs = 100;
/** Collected lines are written together from this size on, in UTF-16 units. */
const sizeAtOnce = 8 * 1024;
const readerIsSlowMs = 10;
const never = new Int32Array(new SharedArrayBuffer(4));

const codeOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;

/** Waits for a slow reader. Whatever cannot be written is lost: a closed pipe or a full disk must not stop a service. */
function writeAll(file: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(file, rest));
    } catch (error) {
      if (codeOf(error) !== "EAGAIN") return;
      Atomics.wait(never, 0, 0, readerIsSlowMs);
    }
  }
}

let standard: Output | undefined;

/** Standard output, shared by all logs of the process. */
export const standardOutput = (): Output => (standard ??= makeOutput(1));

/**
 * Collects lines for a moment and writes them together. The rest is written when the process ends in any way but
 * SIGKILL or a power cut.
 */
function makeOutput(file: number): Output {
  let waiting = "";
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const text = waiting;
    waiting = "";
    writeAll(file, text);
  };
  process.once("exit", flush);
  return {
    flush,
    write: (line) => {
      waiting += line;
      if (waiting.length >= sizeAtOnce) flush();
      // Does not keep the process running: when it ends, everything is written anyway.
      else timer ??= setTimeout(flush, longestMs).unref();
    },
  };
}
