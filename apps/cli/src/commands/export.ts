import { open, rm, type FileHandle } from "node:fs/promises";
import type { Command } from "commander";
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";
import { plainLine } from "../terminal/plain-text.ts";

const help = `
Each line is one JSON object: {"kind", "data"}. The file has your requests in
clear, and no secrets. Sign in as the owner first: countersign login --wallet

Example:
  countersign export countersign.ndjson
  grep '"kind":"receipt"' countersign.ndjson | head -1 | jq .data > receipt.json
  countersign verify receipt.json`;

export function addExport(program: Command, context: Context): void {
  program
    .command("export")
    .description("save what the service stores about your account to a file")
    .argument("<file>", "a new file")
    .addHelpText("after", help)
    .action((file: string) => exportTo(context, file));
}

/** An export that ends early leaves no file. */
async function exportTo(context: Context, file: string): Promise<void> {
  const { exportData } = await context.ownerClient();
  const handle = await openNew(file);
  let lines = 0;
  try {
    for await (const line of exportData({ signal: context.signal })) {
      await handle.writeFile(line);
      lines++;
    }
    await handle.sync();
  } catch (error) {
    await rm(file, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
  context.output.answer({ file, lines }, () => plainLine(`Saved ${lines} lines to ${file}.`));
}

async function openNew(file: string): Promise<FileHandle> {
  try {
    return await open(file, "wx", 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw usageError(`${file} exists.`, "countersign export OTHER-FILE");
    throw usageError(`${file} can't be created (${code ?? "unknown error"}).`, "countersign export FILE");
  }
}
