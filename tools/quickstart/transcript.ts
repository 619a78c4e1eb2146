// Renders the transcript for the guide.

export type Act = {
  /** The command, as a reader types it. */
  readonly shown: string;
  readonly lines: readonly string[];
  readonly ms: number;
  /** Expected lines and when they appeared, in milliseconds. */
  readonly milestones: readonly (readonly [name: string, ms: number])[];
};

export type Seen = {
  readonly acts: readonly Act[];
  readonly totalMs: number;
  readonly date: Date;
  readonly cores: number;
  readonly node: string;
  readonly npm: string;
};

const first = "<!-- The transcript: written by npm run quickstart. -->";
const last = "<!-- End of the transcript. -->";

/** The guide with this between its two marks, instead of what stood there. */
export function putTranscript(guide: string, transcript: string): string {
  const begin = guide.indexOf(first);
  const end = guide.indexOf(last);
  if (begin === -1 || end < begin) throw new Error(`The guide lacks its marks:\n${first}\n${last}`);
  return `${guide.slice(0, begin)}${first}\n\n${transcript}\n\n${guide.slice(end)}`;
}

export function renderTranscript({ acts, totalMs, date, cores, node, npm }: Seen): string {
  const rows = acts.flatMap(({ shown, ms, milestones }): readonly Row[] =>
    milestones.length === 0
      ? [[`\`${shown}\``, wholeSeconds(ms)]]
      : milestones.map(([name, at]): Row => [`\`${shown}\`: ${name}`, wholeSeconds(at)]),
  );
  return [
    ...tableOf([["Command", "Took"], ...rows, ["**From nothing to both**", `**${wholeSeconds(totalMs)}**`]]),
    "",
    `Measured by \`npm run quickstart\` on ${date.toISOString().slice(0, 10)}: ${cores} cores, Node ${node}, npm ${npm}; an empty home folder,`,
    "an empty npm cache, cloned from the same disk. The transcript shows the default ports.",
    "",
    "```text",
    ...acts.flatMap(({ shown, lines }) => [`$ ${shown}`, ...foldWarnings(lines), ""]).slice(0, -1),
    "```",
  ].join("\n");
}

type Row = readonly [left: string, right: string];

/** As our formatter leaves it, so that a run changes nothing but figures. */
function tableOf(rows: readonly Row[]): readonly string[] {
  const [left, right] = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const [head = "", ...body] = rows.map(
    ([one, other]) => `| ${one.padEnd(left ?? 0)} | ${other.padStart(right ?? 0)} |`,
  );
  return [head, `| ${"-".repeat(left ?? 0)} | ${"-".repeat((right ?? 0) - 1)}: |`, ...body];
}

const wholeSeconds = (ms: number): string => `${Math.max(1, Math.round(ms / 1000))} s`;

const isWarning = (line: string): boolean => line.startsWith("npm warn EBADENGINE");
/** As many lines as npm spends on one package. */
const oneWarning = 5;

/** On an older Node npm says for each of several packages that it wants a newer one; one of them is shown. */
function foldWarnings(lines: readonly string[]): readonly string[] {
  const begin = lines.findIndex(isWarning);
  if (begin === -1) return lines;
  const after = lines.findIndex((line, index) => index > begin && !isWarning(line));
  const end = after === -1 ? lines.length : after;
  const more = end - begin - oneWarning;
  if (more <= 0) return lines;
  return [
    ...lines.slice(0, begin + oneWarning),
    `… ${more} more lines of this kind`,
    ...foldWarnings(lines.slice(end)),
  ];
}
