import { Readable } from "node:stream";
import { requestErrors } from "@countersign/platform/errors";
import { endStream, pushTo } from "../events/index.ts";

/** The SDK's answer as an answer of a route. */
export type Relayed = {
  readonly status: Status;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable | string;
};

const statuses = [200, 202, 400, 403, 404, 406] as const;
type Status = (typeof statuses)[number];

const passedOn = ["Cache-Control", "Content-Type", "WWW-Authenticate", "X-Accel-Buffering"];

/** A reader that others may also push to, between two of its chunks. Destroying it cancels its source. */
function readableOf(body: ReadableStream<Uint8Array>): Readable {
  const reader = body.getReader();
  let isReading = false;
  return new Readable({
    read() {
      if (isReading) return;
      isReading = true;
      reader.read().then(
        ({ done, value }) => {
          isReading = false;
          if (done) endStream(this);
          else pushTo(this, value);
        },
        (error: unknown) => this.destroy(error instanceof Error ? error : undefined),
      );
    },
    destroy(error, done) {
      reader.cancel().then(
        () => {
          done(error);
        },
        () => {
          done(error);
        },
      );
    },
  });
}

const isStream = (response: Response): boolean =>
  response.headers.get("content-type")?.startsWith("text/event-stream") === true;

export async function relay(response: Response): Promise<Relayed> {
  const status = statuses.find((known) => known === response.status);
  if (status === undefined)
    throw requestErrors.internal({ cause: new Error(`unexpected MCP answer: ${response.status}`) });
  const headers = passedOn.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  const body =
    isStream(response) && response.body !== null ? readableOf(response.body) : await response.text();
  return { status, headers: Object.fromEntries(headers), body };
}
