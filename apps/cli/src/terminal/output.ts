// The one door to the terminal. stdout holds the answer and nothing else; what is said beside it goes to stderr.
import picocolors from "picocolors";
import { columnsOf, wrap } from "../render/layout.ts";
import { jsonText } from "./plain-text.ts";

export type Stream = {
  readonly write: (text: string) => unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

type Colours = ReturnType<typeof picocolors.createColors>;

/** The answer, or what is said beside it. */
export type Place = "stdout" | "stderr";

export type Output = {
  /** True after --json. */
  readonly isJson: () => boolean;
  /** Styles for stdout; they do nothing where there is no colour. */
  readonly colours: () => Colours;
  readonly hasColour: (place?: Place) => boolean;
  /** Is stdout a terminal, so that a line may be written over? */
  readonly isLive: () => boolean;
  /** Columns; 80 where nobody says. */
  readonly width: (place?: Place) => number;
  /** How this program was called, for commands that are there to be copied. */
  readonly program: string;
  /** The answer: `value` with --json, otherwise what `page` makes of it. Once per command. */
  readonly answer: (value: unknown, page: () => string) => void;
  /** One of several: a JSON line with --json, otherwise what `line` makes of it, or nothing if that is undefined. */
  readonly item: (value: unknown, line: () => string | undefined) => void;
  /** Beside the answer, on stderr. Yours to make plain: outside text goes through plainLine first. */
  readonly notice: (text: string) => void;
  /** The same for sentences: on a terminal they are broken between words. Not for commands, which are there to be copied. */
  readonly prose: (text: string) => void;
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
  const streams = { stdout, stderr };
  const hasColour = (place: Place = "stdout"): boolean =>
    flags.color && !flags.json && wantsColour(env, streams[place]);
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
    // With npx the name alone is found by no shell.
    program: env["npm_lifecycle_event"] === "npx" ? "npx countersign" : "countersign",
    answer: (value, page) => {
      // After JSON lines the last one, an error's for example, is a line too.
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
      // Longer than the line it would wrap, and could not be wiped.
      stderr.write(text.slice(0, widthOf(stderr, env) - 1));
      isUnderWay = true;
    },
    raw: out,
  };
}

const ended = (text: string): string => (text.endsWith("\n") ? text : `${text}\n`);

/** A terminal that nobody has given a size says 0. */
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
