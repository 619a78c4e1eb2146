// Shows a line for each part while it starts and stops, rewritten in place on a terminal and appended elsewhere.
import { styleText } from "node:util";
import { partNames, type PartName } from "./parts.ts";
import type { Report } from "./report.ts";

export type Screen = {
  readonly write: (text: string) => unknown;
  /** Lines can be rewritten. */
  readonly isLive: boolean;
  readonly isColoured: boolean;
};

/** As wide as the longest name. */
const pad = (name: string): string => name.padEnd(Math.max(...partNames.map(({ length }) => length)));

/** A number of seconds, for people. */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

export function makeProgress(screen: Screen): Report {
  const paint = (colour: "green" | "red" | "yellow", text: string): string =>
    screen.isColoured ? styleText(colour, text, { validateStream: false }) : text;
  const show = screen.isLive ? makeLiveLines(screen) : makeAppendedLines(screen);
  const lines = {
    starting: (name: string) => `${paint("yellow", "●")} ${pad(name)} starting`,
    ready: (name: string, tookMs: number) =>
      `${paint("green", "✓")} ${pad(name)} ready in ${seconds(tookMs)}`,
    failed: (name: string, reason: string) => `${paint("red", "✗")} ${pad(name)} failed: ${reason}`,
  };
  const append = (text: string): void => {
    screen.write(`${text}\n`);
  };
  return {
    starting: (part) => {
      show(part, lines.starting(part));
    },
    ready: (part, tookMs) => {
      show(part, lines.ready(part, tookMs));
    },
    // At the end: a reason may take several rows, which cannot be rewritten.
    failed: (part, reason) => {
      append(lines.failed(part, reason));
    },
    exited: (name, reason, logFile) => {
      append(
        `${paint("red", "✗")} ${name} exited unexpectedly (${reason}); the rest keeps running. Its log is ${logFile}`,
      );
    },
    stopped: (name, tookMs) => {
      append(`${paint("green", "✓")} ${pad(name)} stopped in ${seconds(tookMs)}`);
    },
  };
}

type Show = (part: PartName, line: string) => void;

const makeAppendedLines =
  ({ write }: Screen): Show =>
  (_, line) => {
    write(`${line}\n`);
  };

/** Keeps the lines in the parts' order, and goes back up to rewrite them. */
function makeLiveLines({ write }: Screen): Show {
  const lines = new Map<PartName, string>();
  return (part, line) => {
    const up = lines.size === 0 ? "" : `\u001B[${lines.size}A`;
    lines.set(part, line);
    const shown = partNames.flatMap((name) => lines.get(name) ?? []);
    write(`${up}${shown.map((text) => `\u001B[2K${text}\n`).join("")}`);
  };
}
