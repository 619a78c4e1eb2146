import type { Command } from "commander";
import type { Context } from "../context.ts";
import { examine, type Finding } from "../doctor/examine.ts";
import { exitCodes } from "../exit-codes.ts";
import type { Colours } from "../output.ts";
import { plainLine } from "../plain-text.ts";

const help = `
Each line is ok, warn or fail, with what to do. Exit code 7 if one is fail.

Example:
  countersign doctor --url https://countersign.example`;

export function addDoctor(program: Command, context: Context): void {
  program
    .command("doctor")
    .description("look for what is wrong, and say what to do")
    .addHelpText("after", help)
    .action(async () => {
      const findings = await examine(context);
      const isWell = findings.every(({ status }) => status !== "fail");
      const { output } = context;
      output.answer({ ok: isWell, findings }, () =>
        findings.map((finding) => lineOf(finding, output.colours())).join("\n"),
      );
      context.endWith(isWell ? exitCodes.done : exitCodes.unreachable);
    });
}

function lineOf({ status, name, message, todo }: Finding, colours: Colours): string {
  const paint = { ok: colours.green, warn: colours.yellow, fail: colours.red }[status];
  const line = `${paint(status.padEnd(4))}  ${plainLine(name)}: ${plainLine(message)}`;
  return todo === undefined ? line : `${line}\n      → ${plainLine(todo)}`;
}
