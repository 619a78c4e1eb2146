import { isRecording, openSpan, readTraceparent, requestHashIn } from "@countersign/platform/trace";
import type { ReadTrace } from "../read-trace.ts";
import type { Transition } from "../transition.ts";

/** Wraps the watcher's changes, so that each one is a span of the trace in which the transaction was proposed. */
export const traceChanges = (
  { change }: Pick<Transition, "change">,
  readTrace: ReadTrace,
): Pick<Transition, "change"> => ({
  change: async (key, rule) => {
    const begun = performance.now();
    const changed = await change(key, rule);
    if (changed === undefined || changed.after === changed.before || !isRecording()) return changed;
    const { requestHash, phase } = changed.after;
    // A trace that cannot be read must not undo what was seen.
    const parent = readTraceparent(await readTrace(requestHash).catch(() => undefined));
    if (parent === undefined) return changed;
    const ageMs = performance.now() - begun;
    openSpan(`watch: ${phase}`, { parent, ageMs, attributes: requestHashIn(requestHash) })?.end();
    return changed;
  },
});
