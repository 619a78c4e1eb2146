/**
 * Checks a few requests before the first real one. Code that runs for the first time costs a multiple of what it costs later, and that
 * would count against the budget of the first callers.
 */
import { parseLossless, ValidateRequest } from "../request/index.ts";
import type { Engine } from "./engine.ts";
import { conclude, examine } from "./validate.ts";

/**
 * Each check's page has a request that it passes; together they reach most of the code. All of them are needed: the tables for ENS names, for
 * one, are built at their first use and cost more than a request may.
 */
function examplesOf({ nodes }: Pick<Engine, "nodes">): readonly ValidateRequest[] {
  return nodes.flatMap(({ page }) => {
    const [, text] = /```json\n(.*?)```/s.exec(page.sections.get("Passes") ?? "") ?? [];
    const parsed = text === undefined ? null : parseLossless(text);
    const request = parsed === null || "fault" in parsed ? null : ValidateRequest.safeParse(parsed.value);
    return request?.success === true ? [request.data] : [];
  });
}

/** Returns how many requests were checked. */
export function warmUp(engine: Engine): number {
  const examples = examplesOf(engine);
  for (const example of examples) {
    const examined = examine(example, engine, engine.clock.now().getTime());
    conclude(examined, { ran: examined.ran, calls: 0, prompts: [] }, engine);
  }
  return examples.length;
}
