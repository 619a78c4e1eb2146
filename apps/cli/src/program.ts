// All commands, in the order in which help shows them.
import { createRequire } from "node:module";
import { Command } from "commander";
import { addApprove } from "./commands/approve.ts";
import { addCompletion } from "./commands/completion.ts";
import { addConnect } from "./commands/connect.ts";
import { addContacts } from "./commands/contacts.ts";
import { addDescribe } from "./commands/describe.ts";
import { addDoctor } from "./commands/doctor.ts";
import { addExport } from "./commands/export.ts";
import { addExplain } from "./commands/explain.ts";
import { addKeys } from "./commands/keys.ts";
import { addLogin } from "./commands/login.ts";
import { addLogout } from "./commands/logout.ts";
import { addMandates } from "./commands/mandates.ts";
import { addMcpProxy } from "./commands/mcp-proxy.ts";
import { addPolicies } from "./commands/policies.ts";
import { addProfiles } from "./commands/profiles.ts";
import { addPropose } from "./commands/propose.ts";
import { addReceipt } from "./commands/receipt.ts";
import { addReject } from "./commands/reject.ts";
import { addReplay } from "./commands/replay.ts";
import { addSandbox } from "./commands/sandbox.ts";
import { addStatus } from "./commands/status.ts";
import { addValidate } from "./commands/validate.ts";
import { addVerify } from "./commands/verify.ts";
import { addWatch } from "./commands/watch.ts";
import { addChannels } from "./commands/channels.ts";
import { addWebhooks } from "./commands/webhooks.ts";
import { addWhoami } from "./commands/whoami.ts";
import { addWithdraw } from "./commands/withdraw.ts";
import type { Context, MutableFlags } from "./context.ts";

// src/ and the published dist/ are both next to a package.json.
const manifest = createRequire(import.meta.url)("../package.json") as { readonly version: string };

export const { version } = manifest;

const closing = `
Exit codes:
  0 done or approved   1 unexpected error   2 wrong usage   3 not signed in
  4 rejected or differs   5 not decided   6 not found
  7 service not reachable   130 interrupted

Start with:
  countersign sandbox --demo`;

export function makeProgram(context: Context, flags: MutableFlags): Command {
  const program = new Command("countersign");
  program
    .description("Check what an AI agent wants to send before a wallet signs it.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .helpCommand(false)
    .showSuggestionAfterError()
    .addHelpText("after", closing)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        context.output.raw(text);
      },
      writeErr: (text) => {
        context.output.notice(text);
      },
      // Errors are reported once, in run.ts.
      outputError: () => undefined,
    });
  addGlobalOptions(program, flags);

  addProposals(program, context);
  addAccount(program, context);
  return program;
}

function addAccount(program: Command, context: Context): void {
  program.commandsGroup("Account:");
  addLogin(program, context);
  addLogout(program, context);
  addWhoami(program, context);
  addProfiles(program, context);
  addConnect(program, context);
  addKeys(program, context);
  addMandates(program, context);
  addWebhooks(program, context);
  addChannels(program, context);
  addContacts(program, context);
  addPolicies(program, context);
  addExport(program, context);
  program.commandsGroup("Setup:");
  addMcpProxy(program, context);
  addDoctor(program, context);
  addCompletion(program, context);
}

function addProposals(program: Command, context: Context): void {
  program.commandsGroup("Try it:");
  addSandbox(program, context);
  addValidate(program, context);
  addDescribe(program, context);
  program.commandsGroup("Propose and decide:");
  addPropose(program, context);
  addWatch(program, context);
  addStatus(program, context);
  addApprove(program, context);
  addReject(program, context);
  addWithdraw(program, context);
  program.commandsGroup("Explain and verify:");
  addExplain(program, context);
  addReceipt(program, context);
  addVerify(program, context);
  addReplay(program, context);
}

/** Accepted before and after the command name. */
function addGlobalOptions(program: Command, flags: MutableFlags): void {
  program
    .option("--json", "print one JSON document on stdout")
    .option("-p, --profile <name>", "profile to use (COUNTERSIGN_PROFILE)")
    .option("--url <url>", "URL of the service (COUNTERSIGN_URL)")
    .option("--validator-url <url>", "URL of a validator (COUNTERSIGN_VALIDATOR_URL)")
    .option("--no-color", "disable colors (NO_COLOR)")
    .on("option:json", () => {
      flags.json = true;
    })
    .on("option:profile", (name: string) => {
      flags.profile = name;
    })
    .on("option:url", (url: string) => {
      flags.url = url;
    })
    .on("option:validator-url", (url: string) => {
      flags.validatorUrl = url;
    })
    .on("option:no-color", () => {
      flags.color = false;
    });
}
