/**
 * Checks some requests before the service is ready. Code that runs for the first time is much slower, which would count
 * against the budget of the first callers.
 */
import { parseLossless, ValidateRequest } from "../request/index.ts";
import type { Engine } from "./engine.ts";
import { conclude, examine } from "./validate.ts";

/**
 * The passing request of each check's page; together they reach most of the code. All are needed: the tables for ENS
 * names, for example, are built on first use and exceed the budget of a request.
 */
function examplesOf({ nodes }: Pick<Engine, "nodes">): readonly ValidateRequest[] {
  return nodes.flatMap(({ page }) => {
    const [, text] = /```json\n(.*?)```/s.exec(page.sections.get("Passes") ?? "") ?? [];
    const parsed = text === undefined ? null : parseLossless(text);
    const request = parsed === null || "fault" in parsed ? null : ValidateRequest.safeParse(parsed.value);
    return request?.success === true ? [request.data] : [];
  });
}

/** Returns the number of checked requests. */
export function warmUp(engine: Engine): number {
  const examples = examplesOf(engine);
  for (const example of examples) {
    const examined = examine(example, { engine, startedAt: engine.clock.now().getTime() });
    conclude(examined, { ran: examined.ran, calls: 0, prompts: [] }, engine);
  }
  return examples.length;
}
