// Messages of progress to the host, if it asked for them. Many hosts wait longer for a call that reports progress.
import { membersOf, type Message } from "./message.ts";

export type Progress = {
  readonly say: (text: string) => void;
  readonly stop: () => void;
};

type Options = {
  readonly toHost: (message: Message) => void;
  /** Repeats the last text, so that the host sees that the call goes on. */
  readonly everyMs: number;
};

export function reportProgress(call: Message, { toHost, everyMs }: Options): Progress {
  const { progressToken } = membersOf(membersOf(call["params"])["_meta"]);
  if (progressToken === undefined) return { say: () => undefined, stop: () => undefined };
  let progress = 0;
  let last = "Waiting for an earlier call";
  const say = (message: string): void => {
    last = message;
    progress++;
    const params = { progressToken, progress, message };
    toHost({ jsonrpc: "2.0", method: "notifications/progress", params });
  };
  const timer = setInterval(() => {
    say(last);
  }, everyMs);
  return {
    say,
    stop: () => {
      clearInterval(timer);
    },
  };
}
