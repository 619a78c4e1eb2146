/** Restates the request as it was read, one sentence for each step. */
import type { Intent, Portion, Step } from "../intent.ts";
import type { Registry } from "../registry.ts";
import { showPartyRef, showQuantity } from "./show.ts";

const list = (portions: readonly Portion[]): string =>
  portions.map(({ quantity, asset }) => showQuantity(quantity, asset)).join(" and ");

const phrase = (before: string, text: string | undefined): readonly string[] =>
  text === undefined || text === "" ? [] : [`${before} ${text}`.trim()];

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function restateStep(step: Step, registry: Registry): string {
  const chainName = (id: number | undefined): string | undefined =>
    id === undefined ? undefined : (registry.chain(id)?.name ?? `chain ${id}`);
  const verb = step.admin === null ? (step.acts[0] ?? step.verb.word) : step.admin.kind;
  const parts = [
    verb.replaceAll("_", " "),
    ...phrase("", list(step.gives)),
    ...phrase("for", list(step.gets)),
    ...phrase("from", step.from === null ? undefined : showPartyRef(step.from)),
    ...phrase("to", step.to.map(showPartyRef).join(" and ")),
    ...phrase("with spender", step.spender === null ? undefined : showPartyRef(step.spender)),
    ...phrase("about", step.admin?.party ? showPartyRef(step.admin.party) : undefined),
    ...phrase("on", step.venues.find(({ mode }) => mode === "on")?.venue),
    ...phrase("on", chainName(step.chain?.value)),
    ...phrase("to", chainName(step.toChain?.value)),
  ];
  return `${capital(parts.join(" "))}.`;
}

export const restateRequest = ({ steps }: Pick<Intent, "steps">, registry: Registry): string =>
  steps.map((step) => restateStep(step, registry)).join(" ");
