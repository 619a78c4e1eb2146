// Renders a verdict: the request, the effect, the differences and each flag.
import { describeNet, type Check, type Issue, type ReadReport } from "@countersign/sdk/report";
import { plainLine } from "../terminal/plain-text.ts";
import { renderBalances } from "./balances.ts";
import { coloursOf, counted, rows, wrap, type Colours, type Page, type Row } from "./layout.ts";
import { readReport } from "./read-report.ts";

export type ReportPage = Page & {
  /** The request, if known: a report contains only its parts. */
  readonly words?: string;
  /** Lists every check, including passed and not applicable ones. */
  readonly all?: boolean;
  /** A command that shows the full report. Shows only flagged checks and counts the others. */
  readonly moreBy?: string;
};

/** Returns undefined if it is not a validator report. */
export function renderReport(report: unknown, page: ReportPage): string | undefined {
  const read = readReport(report);
  if (read === undefined) return undefined;
  const colours = coloursOf(page);
  return [
    verdictLine(read, page, colours),
    ...blocks(read, report, page, colours),
    flags(read, page, colours),
    ...rest(read, page, colours),
  ]
    .filter((part) => part.length > 0)
    .map(joined)
    .join("\n\n");
}

function rest(read: ReadReport, page: ReportPage, colours: Colours): readonly (readonly string[])[] {
  if (page.moreBy !== undefined) return [numbers(read, page, page.moreBy)];
  return [
    notChecked(read, page, colours),
    page.all === true ? everyCheck(read, page, colours) : passed(read, page),
  ];
}

/** Renders the verdict and the three blocks, for review before a decision. */
export function renderBlocks(report: unknown, page: ReportPage): string | undefined {
  const read = readReport(report);
  if (read === undefined) return undefined;
  const colours = coloursOf(page);
  return [verdictLine(read, page, colours), ...blocks(read, report, page, colours)].map(joined).join("\n\n");
}

const joined = (lines: readonly string[]): string => lines.join("\n");

function blocks(
  read: ReadReport,
  report: unknown,
  page: ReportPage,
  colours: Colours,
): readonly (readonly string[])[] {
  return [
    block("Asked", asked(read, page), colours),
    block(read.chain === null ? "Does" : `Does, on ${read.chain}`, does(read, page), colours),
    // Without a state of the chain, the checks that could not run say so.
    read.state === null ? [] : balances(report, page, colours),
    block("Differs", differs(read, page), colours),
  ].filter((lines) => lines.length > 0);
}

function balances(report: unknown, page: ReportPage, colours: Colours): string[] {
  const { heading, lines } = renderBalances(report, page);
  return block(heading, lines, colours);
}

/** Renders the verdict and each flag in one sentence. */
export function renderShort(report: unknown, page: ReportPage): string | undefined {
  const read = readReport(report);
  if (read === undefined) return undefined;
  const colours = coloursOf(page);
  const said = read.issues.flatMap(({ reasoning, node }) =>
    wrap(`${reasoning} (${node})`, page.width, { first: "  - ", rest: "    " }),
  );
  return [...verdictLine(read, page, colours), ...said].join("\n");
}

const outcomeSigns = { matches: "✓", differs: "✗", unverified: "?" } as const;
const outcomeColours = { matches: "green", differs: "red", unverified: "yellow" } as const;

function verdictLine(read: ReadReport, page: Page, colours: Colours): string[] {
  const { decision, outcome, headline } = read;
  const line = `${outcomeSigns[outcome]} ${decision}. ${headline}${detailOf(read)}`;
  const paint = colours[outcomeColours[outcome]];
  return wrap(line, page.width, { rest: "  " }).map((part) => colours.bold(paint(part)));
}

function detailOf({ outcome, issues, confidence, assessment }: ReadReport): string {
  const byEffect = assessment?.byEffect ?? null;
  if (outcome === "matches")
    return [
      ".",
      ...(confidence === null ? [] : [`Confidence ${Math.round(confidence * 100)} %.`]),
      ...(byEffect === null
        ? []
        : [`Checked by its effect on block ${byEffect.block}: the contract is unknown.`]),
    ].join(" ");
  if (outcome === "unverified") return ". Don't sign it unless you know what it does.";
  const failed = issues.filter(({ isOpen }) => !isOpen).length;
  return failed === 0 ? ". Don't sign it." : `: ${failed} flagged. Don't sign it.`;
}

const block = (heading: string, lines: readonly string[], colours: Colours): string[] =>
  lines.length === 0 ? [] : [colours.bold(heading), ...lines];

function asked({ tokens }: ReadReport, { words, width }: ReportPage): string[] {
  const indent = { first: "  ", rest: "  " };
  if (words !== undefined) return wrap(plainLine(words), width, indent);
  return tokens === "" ? [] : wrap(`Read as: ${tokens}`, width, indent);
}

function does({ effects, net }: ReadReport, { width }: Page): string[] {
  if (effects.length === 0) return wrap("Can't be read.", width, { first: "  ", rest: "  " });
  const told = effects.map(({ sentence }) => sentence);
  const [only] = told;
  if (told.length === 1 && only !== undefined) return wrap(only, width, { first: "  ", rest: "  " });
  return [
    ...told.flatMap((effect, index) => wrap(effect, width, { first: `  ${index + 1}. `, rest: "     " })),
    ...wrap("Worst case, after everything:", width, { first: "  ", rest: "  " }),
    ...rows(describeNet(net), width, "    "),
  ];
}

const comparesWords = ({ node }: Issue): boolean => node.startsWith("intent_alignment.");

/**
 * Compares request and transaction. Other checks' expectations are not part of the request and are shown with each flag. Lists
 * each pair once: two checks of the same place report the same difference.
 */
function differs({ outcome, issues }: ReadReport, { width }: Page): string[] {
  const failed = issues.filter(({ isOpen }) => !isOpen);
  const told = failed.some(comparesWords) ? failed.filter(comparesWords) : failed;
  const pairs = new Map(
    told.flatMap(({ expected, actual }) =>
      expected === null || actual === null ? [] : [[`${expected}\n${actual}`, { expected, actual }] as const],
    ),
  );
  if (pairs.size === 0) return outcome === "matches" ? ["  Nothing."] : [];
  return [...pairs.values()].flatMap(({ expected, actual }, index) => [
    ...(index === 0 ? [] : [""]),
    ...rows(
      [
        ["asked", expected],
        ["does", actual],
      ],
      width,
    ),
  ]);
}

function flags({ issues }: ReadReport, page: Page, colours: Colours): string[] {
  if (issues.length === 0) return [];
  const heading = issues.length === 1 ? "Flagged" : "Flagged, most important first";
  return [
    ...wrap(heading, page.width).map(colours.bold),
    ...issues.flatMap((issue, index) => [...(index === 0 ? [] : [""]), ...flag(issue, page, colours)]),
  ];
}

function flag(issue: Issue, { width }: Page, colours: Colours): string[] {
  const { title, node, severity, reasoning, expected, actual, fix, isOpen } = issue;
  const sign = isOpen ? "?" : "✗";
  const untold = (label: string, said: string | null): Row[] =>
    said === null || reasoning.includes(said) ? [] : [[label, said]];
  return [
    ...wrap(title, width, { first: `  ${sign} `, rest: "    " }).map((line) =>
      isOpen ? colours.yellow(line) : colours.red(line),
    ),
    ...wrap(`${node} (${severity})`, width, { first: "    ", rest: "    " }).map(colours.dim),
    ...wrap(reasoning, width, { first: "    ", rest: "    " }),
    ...rows(
      [...untold("expected", expected), ...untold("found", actual), ...untold("fix", fix)],
      width,
      "    ",
    ),
  ];
}

const shortName = (node: string): string => node.slice(node.indexOf(".") + 1);

/** Grouped by reason, since several checks often lack the same input. */
function notChecked(read: ReadReport, { width }: Page, colours: Colours): string[] {
  if (read.notChecked.length === 0) return [];
  const reasons = new Map<string, string[]>();
  for (const { node, why } of read.notChecked)
    reasons.set(why, [...(reasons.get(why) ?? []), shortName(node)]);
  const heading = `Couldn't run (${read.notChecked.length})`;
  return [
    ...wrap(heading, width).map(colours.bold),
    ...[...reasons].flatMap(([why, nodes]) =>
      wrap(`${why} (${nodes.join(", ")})`, width, { first: "  ? ", rest: "    " }),
    ),
  ];
}

const countOf = ({ checks }: ReadReport, state: Check["state"]): number =>
  checks.filter((check) => check.state === state).length;

function numbers(read: ReadReport, { width }: Page, moreBy: string): string[] {
  const { notChecked: open } = read;
  const good = countOf(read, "passed");
  const lacking = open.length === 0 ? "" : ` ${open.length} couldn't run.`;
  const told = `✓ ${counted(good, "check")} passed.${lacking} ${countOf(read, "idle")} not applicable.`;
  return [...wrap(`${told} Details:`, width, { rest: "  " }), `  ${moreBy}`];
}

function passed(read: ReadReport, { width }: Page): string[] {
  const families = new Map<string, number>();
  const good = read.checks.filter(({ state }) => state === "passed");
  for (const { family } of good) families.set(family, (families.get(family) ?? 0) + 1);
  const each = [...families]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([family, count]) => `${count} ${family.replaceAll("_", " ")}`)
    .join(", ");
  const told = `✓ ${counted(good.length, "check")} passed${each === "" ? "" : `: ${each}`}.`;
  return wrap(`${told} ${countOf(read, "idle")} not applicable. To list each: --all`, width, {
    rest: "  ",
  });
}

const signs: Readonly<Record<Check["state"], string>> = {
  passed: "✓",
  failed: "✗",
  unchecked: "?",
  idle: "-",
};

function everyCheck({ checks }: ReadReport, { width }: Page, colours: Colours): string[] {
  return [
    ...wrap("All checks (✓ passed, ✗ flagged, ? couldn't run, - not applicable)", width).map(colours.bold),
    ...checks.flatMap(({ node, state, reasoning }) => [
      ...wrap(node, width, { first: `  ${signs[state]} ` }),
      ...wrap(reasoning, width, { first: "      ", rest: "      " }),
    ]),
  ];
}
