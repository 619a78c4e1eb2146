import { makeLog, type Log } from "@countersign/platform/log";

/** A log whose lines a test can read. */
export function aLog(): { readonly log: Log; readonly lines: () => readonly unknown[] } {
  const written: string[] = [];
  const log = makeLog({ app: "test", level: "debug", to: { write: (line) => void written.push(line) } });
  return { log, lines: () => written.map((line) => JSON.parse(line) as unknown) };
}
