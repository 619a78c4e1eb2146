// The one door to the terminal. stdout holds the answer and nothing else; what is said beside it goes to stderr.
import picocolors from "picocolors";
import { jsonText } from "./plain-text.ts";

export type Stream = {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

export type Colours = ReturnType<typeof picocolors.createColors>;

export type Output = {
  /** True after --json. */
  readonly isJson: () => boolean;
  /** Styles for stdout; they do nothing where there is no colour. */
  readonly colours: () => Colours;
  readonly hasColour: () => boolean;
  /** Is stdout a terminal, so that a line may be written over? */
  readonly isLive: () => boolean;
  /** Columns of stdout; 80 where nobody says. */
  readonly width: () => number;
  /** The answer: `value` with --json, otherwise what `page` makes of it. Once per command. */
  readonly answer: (value: unknown, page: () => string) => void;
  /** One of several: a JSON line with --json, otherwise what `line` makes of it, or nothing if that is undefined. */
  readonly item: (value: unknown, line: () => string | undefined) => void;
  /** Beside the answer, on stderr. Yours to make plain: outside text goes through plainLine first. */
  readonly notice: (text: string) => void;
  /** A line on stderr that the next one replaces, on a terminal; elsewhere nothing. */
  readonly progress: (text: string) => void;
  /** Unchanged to stdout, for what is no page: a script, a file. */
  readonly raw: (text: string) => void;
};

type Parts = {
  readonly stdout: Stream;
  readonly stderr: Stream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Read each time: the command line is parsed after this is made. */
  readonly flags: { readonly json: boolean; readonly color: boolean };
};

export function makeOutput({ stdout, stderr, env, flags }: Parts): Output {
  const hasColour = (): boolean => flags.color && !flags.json && wantsColour(env, stdout);
  // Whatever is under way on stderr is wiped before anything else is written.
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
  return {
    isJson: () => flags.json,
    hasColour,
    colours: () => picocolors.createColors(hasColour()),
    isLive: () => stdout.isTTY === true && !flags.json,
    width: () => Math.max(20, stdout.columns ?? (Number(env["COLUMNS"]) || 80)),
    answer: (value, page) => {
      // After JSON lines the last one, an error's for example, is a line too.
      out(flags.json ? jsonText(value, hasItems ? undefined : 2) : page());
    },
    item: (value, line) => {
      hasItems = true;
      const text = flags.json ? jsonText(value) : line();
      if (text !== undefined) out(text);
    },
    notice: (text) => {
      wipe();
      stderr.write(ended(text));
    },
    progress: (text) => {
      if (stderr.isTTY !== true) return;
      wipe();
      if (text === "") return;
      // Longer than the line it would wrap, and could not be wiped.
      stderr.write(text.slice(0, Math.max(1, (stderr.columns ?? 80) - 1)));
      isUnderWay = true;
    },
    raw: out,
  };
}

const ended = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

function wantsColour(env: Parts["env"], stdout: Stream): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  return stdout.isTTY === true && env["TERM"] !== "dumb";
}
