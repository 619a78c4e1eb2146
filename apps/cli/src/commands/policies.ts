import { readFile } from "node:fs/promises";
import type { PolicyCheck, PolicyCounterexamples, PolicyDryRun } from "@countersign/sdk";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { notSignedIn, usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { isAgreed } from "../terminal/ask.ts";
import { plainLine } from "../terminal/plain-text.ts";
import { tableOf } from "../terminal/table.ts";

const help = `
A policy is a text of rules in Cedar. It denies, or asks you, where an agent
would be approved without you. Only the owner's wallet changes it:
countersign login --wallet

Examples:
  countersign policies check policy.cedar --tests policy.test.json
  countersign policies dry-run policy.cedar
  countersign policies counterexamples policy.cedar --invariant never.cedar
  countersign policies set policy.cedar --time-zone Europe/Berlin`;

type Zone = { readonly timeZone: string };
type Setting = Zone & { readonly yes?: boolean };

const zone = ["--time-zone <name>", "for rules about hours and weekdays", "UTC"] as const;

export function addPolicies(program: Command, context: Context): void {
  const group = program
    .command("policies")
    .description("rules as code that narrow what agents do without you")
    .helpCommand(false)
    .addHelpText("after", help);
  group
    .command("list")
    .description("list the versions of the policy, newest first")
    .action(() => list(context));
  group
    .command("templates")
    .description("print starter rules")
    .action(() => listTemplates(context));
  group
    .command("check")
    .argument("<file>")
    .description("check a policy, and run its tests")
    .option(...zone)
    .option("--tests <file>", "tests as a JSON list")
    .action((file: string, options: Zone & { readonly tests?: string }) => check(context, file, options));
  group
    .command("dry-run")
    .argument("<file>")
    .description("show what a policy would have decided about past transactions")
    .option(...zone)
    .option("--days <number>", "how far back", "30")
    .option("--against <version>", "a version to compare with")
    .action((file: string, options: DryRunning) => dryRun(context, file, options));
  group
    .command("counterexamples")
    .argument("<file>")
    .description("search for transactions that a policy lets pass and an invariant forbids")
    .option(...zone)
    .option("--invariant <file>", "your own invariants in Cedar; repeatable", collect, [])
    .option("--built-in <id>", "an invariant that the service brings; repeatable", collect, [])
    .action((file: string, options: Searching) => counterexamples(context, file, options));
  group
    .command("set")
    .argument("<file>")
    .description("sign a policy and set it")
    .option(...zone)
    .option("--yes", "skip the question")
    .action((file: string, options: Setting) => set(context, file, options));
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch {
    throw usageError(`Cannot read ${plainLine(file)}.`, "countersign policies check policy.cedar");
  }
}

async function list(context: Context): Promise<void> {
  const policies = await (await context.ownerClient()).policies.list();
  const rows = policies.map(({ version, createdAt, timeZone, digest }) =>
    [String(version), createdAt, timeZone, digest].map(plainLine),
  );
  context.output.answer({ policies }, () =>
    rows.length === 0 ? "No policy." : tableOf(["version", "signed", "time zone", "digest"], rows),
  );
}

const plainText = (text: string): string => text.split("\n").map(plainLine).join("\n");

async function listTemplates(context: Context): Promise<void> {
  const { schema, templates } = await (await context.ownerClient()).policies.schema();
  context.output.answer({ schema, templates }, () =>
    templates.map(({ title, text }) => plainText(`// ${title}\n${text}`)).join("\n"),
  );
}

const faultLine = ({ message, help: advice, line, column }: PolicyCheck["faults"][number]): string =>
  plainLine(
    `${line === null ? "" : `${line}:${column ?? 1} `}${message}${advice === null ? "" : ` (${advice})`}`,
  );

function shownCheck({ valid, faults, rules, tests, untested }: PolicyCheck): string {
  if (!valid) return faults.map(faultLine).join("\n");
  const lines = [
    ...rules.map(({ id, outcome, reason }) => `${outcome === "ask" ? "asks  " : "denies"} ${id}: ${reason}`),
    ...tests.map(
      ({ name, passed, outcome, rules: by }) =>
        `${passed ? "passed" : "FAILED"} ${name}: ${outcome}${by.length === 0 ? "" : ` (${by.join(", ")})`}`,
    ),
    ...(tests.length > 0 && untested.length > 0 ? [`no test: ${untested.join(", ")}`] : []),
  ];
  return lines.length === 0 ? "Valid. No rules." : lines.map(plainLine).join("\n");
}

async function readTests(file: string | undefined): Promise<{ readonly tests?: [] }> {
  if (file === undefined) return {};
  try {
    // The service checks the members.
    return { tests: JSON.parse(await readText(file)) as [] };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw usageError(
      "The tests must be a JSON list.",
      "countersign policies check policy.cedar --tests tests.json",
    );
  }
}

async function check(
  context: Context,
  file: string,
  { timeZone, tests }: Zone & { readonly tests?: string },
): Promise<void> {
  const draft = { text: await readText(file), timeZone, ...(await readTests(tests)) };
  const checked = await (await context.ownerClient()).policies.check(draft);
  if (!checked.valid || checked.tests.some(({ passed }) => !passed)) context.endWith(exitCodes.no);
  context.output.answer({ check: checked }, () => shownCheck(checked));
}

type DryRunning = Zone & { readonly days: string; readonly against?: string };

const counted = ({ allow, ask, deny }: PolicyDryRun["counts"]): string =>
  `${allow} allowed, ${ask} asked, ${deny} denied`;

function shownRun({ transactions, counts, before, changed, unused }: PolicyDryRun): string {
  const lines = [
    `${transactions} transactions: ${counted(counts)}`,
    ...(before === null ? [] : [`before: ${counted(before)}`]),
    ...changed.map(
      ({ at, from, to, description, message }) =>
        `${at} ${from} → ${to}: ${description}${message === null ? "" : ` (${message})`}`,
    ),
    ...(unused.length === 0 ? [] : [`decided nothing: ${unused.join(", ")}`]),
  ];
  return lines.map(plainLine).join("\n");
}

const wholeNumber = (text: string, name: string): number => {
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw usageError(`${name} must be a whole number.`, "countersign policies --help");
  return Number(text);
};

async function dryRun(
  context: Context,
  file: string,
  { timeZone, days, against }: DryRunning,
): Promise<void> {
  const ran = await (
    await context.ownerClient()
  ).policies.dryRun({
    ...{ text: await readText(file), timeZone, days: wholeNumber(days, "--days") },
    ...(against === undefined ? {} : { against: wholeNumber(against, "--against") }),
  });
  context.output.answer({ dryRun: ran }, () => shownRun(ran));
}

type Searching = Zone & { readonly invariant: readonly string[]; readonly builtIn: readonly string[] };
type Searched = PolicyCounterexamples["results"][number];

function shownResult({
  title,
  outcome,
  counterexample,
  reason,
  bounds,
  vacuous,
}: Searched): readonly string[] {
  const tried = bounds === null ? "" : ` (${bounds.combinations} combinations)`;
  switch (outcome) {
    case "broken":
      return [
        `BROKEN  ${title}`,
        `        ${counterexample?.description ?? ""}`,
        `        as a test: ${JSON.stringify(counterexample?.test)}`,
      ];
    case "none":
      return [
        `none    ${title}${tried}`,
        ...(vacuous ? ["        Nothing within the bounds breaks it even without a policy."] : []),
      ];
    case "stopped":
      return [`stopped ${title}: the search took too long${tried}`];
    case "not-searched":
      return [`skipped ${title}: ${reason ?? ""}`];
  }
}

/** Of facts that the searches varied, and of those that they did not. */
function shownBounds(results: readonly Searched[]): readonly string[] {
  const bounds = results.flatMap((one) => one.bounds ?? []);
  const most = new Map<string, number>();
  for (const { fact, count } of bounds.flatMap(({ facts }) => facts))
    most.set(fact, Math.max(count, most.get(fact) ?? 0));
  const varied = [...most].map(([fact, count]) => `${fact} ${count}`).join(", ");
  const fixed = new Set(bounds.flatMap(({ notVaried }) => notVaried).filter((fact) => !most.has(fact)));
  return bounds.length === 0 ? [] : [`Values tried: ${varied}.`, `Not varied: ${[...fixed].join(", ")}.`];
}

async function counterexamples(
  context: Context,
  file: string,
  { timeZone, invariant, builtIn }: Searching,
): Promise<void> {
  const own = await Promise.all(invariant.map(readText));
  const found = await (
    await context.ownerClient()
  ).policies.counterexamples({
    ...{ text: await readText(file), timeZone, invariants: own },
    // The service checks the ids.
    ...(builtIn.length === 0 ? {} : { builtIn: builtIn as [] }),
  });
  const { results } = found;
  if (results.some(({ outcome }) => outcome === "broken")) context.endWith(exitCodes.no);
  else if (results.some(({ outcome }) => outcome !== "none")) context.endWith(exitCodes.undecided);
  context.output.answer({ counterexamples: found }, () =>
    [...results.flatMap(shownResult), ...shownBounds(results)].map(plainLine).join("\n"),
  );
}

async function set(context: Context, file: string, { timeZone, ...options }: Setting): Promise<void> {
  const text = await readText(file);
  const wallet = await context.wallet();
  if (wallet === undefined)
    throw notSignedIn("Setting a policy needs the owner's wallet.", "countersign login --wallet");
  const { policies } = await context.ownerClient();
  const { terms } = await policies.draft({ text, timeZone });
  context.output.notice(plainText(terms.text));
  if (!(await isAgreed(context, `Sign version ${terms.version} (${plainLine(terms.timeZone)})?`, options))) {
    context.endWith(exitCodes.no);
    context.output.answer({ set: false }, () => "Cancelled.");
    return;
  }
  const { signPolicy } = await import("@countersign/sdk/viem");
  const policy = await policies.set({ terms, signature: await signPolicy({ wallet, terms }) });
  context.output.answer({ policy }, () => `Version ${policy.version} is set.`);
}
