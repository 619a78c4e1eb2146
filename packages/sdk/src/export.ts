// The owner's own data, as the service sends it.
import { ConnectionError, CountersignError } from "./errors.ts";
import type { HttpOptions } from "./http.ts";
import { noAnswer } from "./http/answer.ts";
import { reasonOf } from "./http/attempt.ts";
import { makeDeadline } from "./http/deadline.ts";
import { openAnswer } from "./http/open-answer.ts";
import { readOrigin } from "./http/service.ts";
import type { RequestOptions } from "./options.ts";

/**
 * Streams everything that the service stores about the account, as lines of JSON: `{ kind, data }`. Needs a session. Rejects
 * with a ConnectionError if the export ends early, and with a ConflictError while another one is being sent.
 *
 * @example
 * for await (const line of owner.exportData()) file.write(line);
 */
export type ExportData = (options?: RequestOptions) => AsyncIterable<string>;

/** Milliseconds without data after which the export is given up. */
const silentMs = 60_000;

export const makeExportData = (options: HttpOptions): ExportData =>
  async function* exportData({ signal } = {}) {
    const question = {
      ...{ origin: readOrigin(options.url), path: "/export" },
      ask: { headers: { accept: "application/x-ndjson" }, signal },
    };
    const deadline = makeDeadline(options.timeoutMs ?? silentMs, signal);
    try {
      const response = await openAnswer(options, question, deadline.signal);
      yield* wholeLinesOf(response, () => {
        deadline.restart(silentMs);
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof CountersignError) throw error;
      throw noAnswer(deadline.isLate() ? "the export stopped" : reasonOf(error), question);
    } finally {
      deadline.end();
    }
  };

/** Yields each line with its line end. Throws unless the last one says that the export is complete. */
async function* wholeLinesOf({ body }: Response, onData: () => void): AsyncGenerator<string> {
  let last = "";
  for await (const line of linesOf(body, onData)) {
    last = line;
    yield line;
  }
  if (!last.startsWith('{"kind":"end"')) throw new ConnectionError("The export ended early. Start it again");
}

async function* linesOf(body: Response["body"], onData: () => void): AsyncGenerator<string> {
  if (body === null) return;
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let begun = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onData();
      const lines = (begun + decoder.decode(value, { stream: true })).split("\n");
      begun = lines.pop() ?? "";
      for (const line of lines) yield `${line}\n`;
    }
  } finally {
    // Closes the connection when the consumer stops.
    await reader.cancel().catch(() => undefined);
  }
}
