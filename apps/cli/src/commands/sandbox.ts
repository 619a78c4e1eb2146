import { createCountersign, type Countersign } from "@countersign/sdk";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { coloursOf, rows, wrap } from "../render/layout.ts";
import { pageOf } from "../render/page-of.ts";
import { renderReport } from "../render/report.ts";
import type { SandboxAccount } from "../sandbox/account.ts";
import { findCheckout } from "../sandbox/checkout.ts";
import { inputs, sandboxChainId, type Input } from "../sandbox/inputs.ts";
import { bringUp, type Running, type Stack } from "../sandbox/stack.ts";
import { inputOf, proposalOf } from "./propose.ts";

type Options = {
  readonly demo?: boolean;
  readonly exit?: boolean;
  readonly data?: string;
  readonly ports?: string;
};

export function addSandbox(program: Command, context: Context): void {
  const sandbox = program
    .command("sandbox")
    .description("run everything on this machine, with a test account")
    .option("--demo", "propose two test inputs and show both verdicts")
    .option("--exit", "stop when done")
    .option("--data <folder>", "data folder (default: .data)")
    .option("--ports <first>", "first of several consecutive ports")
    .helpCommand(false)
    .addHelpText(
      "after",
      "\nPress Ctrl-C to stop. Your data is kept.\n\nExample:\n  countersign sandbox --demo",
    )
    .action(async (options: Options) => {
      await runSandbox(context, options);
    });
  sandbox
    .command("inputs")
    .description("list test proposals with known verdicts")
    .addHelpText("after", "\nExample:\n  countersign propose --sandbox wrong-recipient --watch")
    .action(() => {
      context.output.answer(inputs.map(listed), () => inputsPage(context));
    });
}

async function runSandbox(context: Context, { demo, exit, ...options }: Options): Promise<void> {
  const checkout = findCheckout();
  if (checkout === undefined)
    throw new CliError("The sandbox needs a checkout of the repository.", {
      ...{ code: "no_checkout", exitCode: exitCodes.unreachable },
      hint: "git clone the repository, npm ci --ignore-scripts there, and run this inside it",
    });
  const running = await bringUp(context, { ...options, checkout });
  try {
    // Loaded late, so that the first output is not delayed.
    const { makeAccount } = await import("../sandbox/account.ts");
    const account = await makeAccount(context, running.stack);
    const shown = demo === true ? await showDemo(context, running.stack, account) : [];
    context.output.answer(answerOf(running.stack, account, shown), () =>
      exit === true ? summary(shown) : welcome(context, running.stack, account, shown),
    );
    if (exit !== true) await stayUp(context, running);
  } finally {
    if (running.child !== undefined && !running.child.hasEnded()) {
      context.output.notice("Stopping…");
      await running.child.stop();
    }
  }
}

/** Waits for Ctrl-C if this command started the system. A system that was already running stays up. */
async function stayUp({ output, signal }: Context, { child }: Running): Promise<void> {
  if (child === undefined) return;
  output.notice("Running. Press Ctrl-C to stop.");
  const interrupted = new Promise<"interrupted">((resolve) => {
    if (signal.aborted) resolve("interrupted");
    signal.addEventListener("abort", () => {
      resolve("interrupted");
    });
  });
  if ((await Promise.race([interrupted, child.ended])) === "interrupted") return;
  throw new CliError("The sandbox stopped unexpectedly.", {
    ...{ code: "stack_ended", exitCode: exitCodes.unexpected },
    hint: "npm run dev -- --logs   (to see why)",
  });
}

type Shown = {
  readonly input: string;
  readonly requestHash: string;
  readonly decision: string;
  readonly report: unknown;
};

async function showDemo(context: Context, { urls }: Stack, account: SandboxAccount): Promise<Shown[]> {
  const agent = createCountersign({ url: urls.api, apiKey: account.apiKey, fetch: context.fetch });
  const shown: Shown[] = [];
  for (const name of ["payment", "wrong-recipient"])
    shown.push(await showInput(context, agent, account, name));
  return shown;
}

async function showInput(
  context: Context,
  agent: Countersign,
  account: SandboxAccount,
  name: string,
): Promise<Shown> {
  const { output, signal } = context;
  const asked = inputOf(name, account.address, new Date());
  output.notice(`Proposing ${name}…`);
  const { requestHash } = await agent.propose(await proposalOf(context, asked, false), { signal });
  const { decision } = await agent.waitForVerdict(requestHash, { signal });
  const { report } = await agent.receipt(requestHash, { signal });
  if (!output.isJson()) {
    const colours = coloursOf(pageOf(context));
    const moreBy = `${commandOf(context, account)} explain ${requestHash}`;
    const page = renderReport(report, { ...pageOf(context), words: asked.words, moreBy }) ?? "";
    output.item(undefined, () => `\n${colours.bold(`── ${name}: ${decision}`)}\n\n${page}\n`);
  }
  return { input: name, requestHash, decision, report };
}

const answerOf = ({ urls, contracts }: Stack, account: SandboxAccount, demo: readonly Shown[]) => ({
  ...{ urls, contracts, profile: account.profile, address: account.address },
  inputs: inputs.map(({ name }) => name),
  ...(demo.length === 0 ? {} : { demo }),
});

const summary = (shown: readonly Shown[]): string =>
  `✓ Done.${shown.map(({ input, decision }) => `\n  ${input}: ${decision}`).join("")}`;

/** The command prefix that selects this account. */
const commandOf = ({ output }: Context, { profile, isCurrent }: SandboxAccount): string =>
  `${output.program}${isCurrent ? "" : ` -p ${profile}`}`;

function welcome(
  context: Context,
  { urls, contracts }: Stack,
  account: SandboxAccount,
  shown: readonly Shown[],
): string {
  const page = pageOf(context);
  const colours = coloursOf(page);
  const command = commandOf(context, account);
  return [
    colours.bold(colours.green("✓ The sandbox is running.")),
    ...rows(
      [
        ["service", urls.api],
        ["validator", urls.validator],
        ["chain", `${urls.anvil} (development chain, ID ${sandboxChainId})`],
        ["inbox", contracts.inbox],
        ["account", `${account.address}, with 10 test ETH`],
        ["profile", `${account.profile}${account.isCurrent ? " (current)" : ""}: owner and agent`],
        ["wallet key", account.walletKeyFile],
      ],
      page.width,
    ),
    "",
    colours.bold("Try, in another terminal"),
    `  ${command} propose --sandbox hidden-call --watch`,
    `  ${command} status`,
    ...shown.flatMap(({ requestHash, decision }) =>
      decision === "APPROVED" ? [`  ${command} approve ${requestHash}`] : [],
    ),
    "",
    ...wrap(`Test inputs for --sandbox: ${inputs.map(({ name }) => name).join(", ")}.`, page.width),
    `  ${context.output.program} sandbox inputs`,
  ].join("\n");
}

const listed = ({ name, outcome, because, about, words }: Input) => ({
  ...{ name, outcome, because: because ?? null, about, words },
});

function inputsPage(context: Context): string {
  const page = pageOf(context);
  const colours = coloursOf(page);
  return inputs
    .map(({ name, outcome, because, about, words }) =>
      [
        `${colours.bold(name)}  ${outcome}${because === undefined ? "" : ` by ${because}`}`,
        ...wrap(about, page.width, { first: "  ", rest: "  " }),
        ...wrap(`“${words}”`, page.width, { first: "  ", rest: "  " }).map(colours.dim),
      ].join("\n"),
    )
    .join("\n\n");
}
