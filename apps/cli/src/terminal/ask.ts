// Asks for confirmation, or takes it from --yes.
import type { Context } from "../context.ts";
import { usageError } from "../errors.ts";

export async function isAgreed(
  { confirm, isTerminal }: Pick<Context, "confirm" | "isTerminal">,
  question: string,
  { yes = false }: { readonly yes?: boolean },
): Promise<boolean> {
  if (yes) return true;
  if (!isTerminal) throw usageError("There's no terminal to ask in.", "Add --yes to skip the question");
  return confirm(question);
}
