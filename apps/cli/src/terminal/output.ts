// The only access to the terminal. stdout carries the answer only; everything else goes to stderr.
import picocolors from "picocolors";
import { columnsOf, wrap } from "../render/layout.ts";
import { jsonText } from "./plain-text.ts";

export type Stream = {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

type Colours = ReturnType<typeof picocolors.createColors>;

/** stdout for the answer, stderr for everything else. */
export type Place = "stdout" | "stderr";

export type Output = {
  /** True after --json. */
  readonly isJson: () => boolean;
  /** Styles for stdout; no-ops without color. */
  readonly colours: () => Colours;
  readonly hasColour: (place?: Place) => boolean;
  /** Whether stdout is a terminal, so that a line can be overwritten. */
  readonly isLive: () => boolean;
  /** Columns. Default: 80. */
  readonly width: (place?: Place) => number;
  /** How this program was called, for commands to copy. */
  readonly program: string;
  /** Prints the answer: `value` with --json, otherwise the result of `page`. Once per command. */
  readonly answer: (value: unknown, page: () => string) => void;
  /**
   * Prints one of several answers: a JSON line with --json, otherwise the result of `line`, or nothing if that is undefined.
   */
  readonly item: (value: unknown, line: () => string | undefined) => void;
  /** Prints to stderr. The caller has to sanitize untrusted text with plainLine. */
  readonly notice: (text: string) => void;
  /** Prints sentences to stderr, wrapped on a terminal. Not for commands, which are for copying. */
  readonly prose: (text: string) => void;
  /** Prints a line on stderr that the next one replaces. Terminal only. */
  readonly progress: (text: string) => void;
  /** Prints a script or file to stdout unchanged. */
  readonly raw: (text: string) => void;
};

type Parts = {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Read lazily: the command line is parsed later. */
  readonly flags: { readonly json: boolean; readonly color: boolean };
};

export function makeOutput({ stdout, stderr, env, flags }: Parts): Output {
  const streams = { stdout, stderr };
  const hasColour = (place: Place = "stdout"): boolean =>
    flags.color && !flags.json && wantsColour(env, streams[place]);
  // Clears the progress line before other output.
  let isUnderWay = false;
  const wipe = (): void => {
    if (isUnderWay) stderr.write("\r\u001B[K");
    isUnderWay = false;
  };
  let hasItems = false;
  const out = (text: string): void => {
    wipe();
    stdout.write(ended(text));
  };
  const notice = (text: string): void => {
    wipe();
    stderr.write(ended(text));
  };
  return {
    isJson: () => flags.json,
    hasColour,
    colours: () => picocolors.createColors(hasColour()),
    isLive: () => stdout.isTTY === true && !flags.json,
    width: (place = "stdout") => widthOf(streams[place], env),
    // With npx, the plain name is not in the PATH.
    program: env["npm_lifecycle_event"] === "npx" ? "npx countersign" : "countersign",
    answer: (value, page) => {
      // After JSON lines, the last document, such as an error, is also one line.
      out(flags.json ? jsonText(value, hasItems ? undefined : 2) : page());
    },
    item: (value, line) => {
      hasItems = true;
      const text = flags.json ? jsonText(value) : line();
      if (text !== undefined) out(text);
    },
    notice,
    prose: (text) => {
      notice(stderr.isTTY === true ? broken(text, widthOf(stderr, env)) : text);
    },
    progress: (text) => {
      if (stderr.isTTY !== true) return;
      wipe();
      if (text === "") return;
      // A longer line would wrap and could not be cleared.
      stderr.write(text.slice(0, widthOf(stderr, env) - 1));
      isUnderWay = true;
    },
    raw: out,
  };
}

const ended = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

/** A terminal without a size reports 0. */
function widthOf({ columns = 0 }: Stream, env: Parts["env"]): number {
  const said = Number(env["COLUMNS"]);
  return Math.max(20, columns > 0 ? columns : said > 0 ? said : 80);
}

const broken = (text: string, width: number): string =>
  text
    .split("\n")
    .flatMap((line) => (columnsOf(line) > width ? wrap(line, width) : [line]))
    .join("\n");

function wantsColour(env: Parts["env"], { isTTY }: Stream): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return isTTY === true && env["TERM"] !== "dumb";
}
