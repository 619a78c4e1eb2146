// Reads a JSON document from a file, or from stdin for `-`.
import { readFile, stat } from "node:fs/promises";
import type { Context } from "../context.ts";
import { CliError, usageError } from "../errors.ts";
import { exitCodes } from "../exit-codes.ts";
import { plainLine } from "../terminal/plain-text.ts";

/** Larger than any proposal or receipt. */
const mostBytes = 20 * 1024 * 1024;

export async function readDocument(name: string, context: Pick<Context, "readStdin">): Promise<unknown> {
  const text = name === "-" ? await context.readStdin() : await readNamed(name);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw usageError(`${name === "-" ? "The input on stdin" : plainLine(name)} is not JSON.`);
  }
}

async function readNamed(name: string): Promise<string> {
  const found = await stat(name).catch(() => undefined);
  if (found?.isFile() !== true)
    throw new CliError(`File not found: ${plainLine(name)}`, {
      ...{ code: "no_such_file", exitCode: exitCodes.notFound },
      ...(name.startsWith("0x")
        ? { hint: "A request hash is 0x and 64 hex characters: countersign status" }
        : {}),
    });
  if (found.size > mostBytes) throw usageError(`${plainLine(name)} is too large.`);
  return readFile(name, "utf8");
}
