import type { Command } from "commander";
import type { Context } from "../context.ts";
import { examine, type Finding } from "../doctor/examine.ts";
import { exitCodes } from "../exit-codes.ts";
import { coloursOf, wrap, type Page } from "../render/layout.ts";
import { pageOf } from "../render/page-of.ts";
import { plainLine } from "../terminal/plain-text.ts";

const help = `
Each line says ok, warn or fail, and how to fix it. Exit code 7 on fail.

Example:
  countersign doctor --url https://countersign.example`;

export function addDoctor(program: Command, context: Context): void {
  program
    .command("doctor")
    .description("find problems with your setup, and how to fix them")
    .addHelpText("after", help)
    .action(async () => {
      const findings = await examine(context);
      const isWell = findings.every(({ status }) => status !== "fail");
      const { output } = context;
      output.answer({ ok: isWell, findings }, () =>
        findings.flatMap((finding) => linesOf(finding, pageOf(context))).join("\n"),
      );
      context.endWith(isWell ? exitCodes.done : exitCodes.unreachable);
    });
}

function linesOf({ status, name, message, todo }: Finding, page: Page): readonly string[] {
  const colours = coloursOf(page);
  const paint = { ok: colours.green, warn: colours.yellow, fail: colours.red }[status];
  const text = `${plainLine(name)}: ${plainLine(message)}`;
  const [first = "", ...rest] = wrap(text, page.width, { first: "      ", rest: "      " });
  const { program = "countersign" } = page;
  return [
    `${paint(status.padEnd(4))}${first.slice(4)}`,
    ...rest,
    ...(todo === undefined ? [] : [`      → ${plainLine(todo).replace(/^countersign /, `${program} `)}`]),
  ];
}
