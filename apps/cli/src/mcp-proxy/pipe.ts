import type { Message } from "./message.ts";

/** The connection to the wrapped server. */
export type Pipe = {
  readonly send: (message: Message) => Promise<void>;
  readonly close: () => Promise<void>;
};

export type PipeEvents = {
  readonly onMessage: (message: Message) => void;
  /** Called once if the server ends, with the reason. */
  readonly onEnd: (why: string) => void;
};
