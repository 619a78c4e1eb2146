// Benign cases, and attacks with their twins.
import type { Attack } from "../attacks/define.ts";
import { RECIPES, encode } from "../recipes/index.ts";
import type { Rng } from "../rng.ts";
import type { BenchCase, Params, Recipe } from "../types.ts";
import { say } from "../words/compose.ts";
import { buildRequest, drawEnvelope } from "./request.ts";
import { drawScenario } from "./scenario.ts";

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_k, v: unknown) => (typeof v === "bigint" ? v.toString() : v));

function common(p: Params, lang: string): Pick<BenchCase, "protocol" | "action" | "recipe" | "lang"> {
  return { protocol: p.protocol, action: p.action, recipe: p.recipe, lang };
}

export type Labelled = {
  case: BenchCase;
  /** The parameters of the transaction, and those of the request: for the oracle. */
  params: Params;
  honest: Params;
};

export function benignCase(rng: Rng, recipe: Recipe, id: string): Labelled {
  const p = drawScenario(rng, recipe);
  const { text, lang } = say(p, rng);
  const request = buildRequest(text, p, p, drawEnvelope(rng, p));
  return {
    params: p,
    honest: p,
    case: { id, split: "benign", ...common(p, lang), expected: "PASS", critical: false, nodes: [], request },
  };
}

/** Draws until the class applies. A class that never applies has a bug. */
function scenarioFor(attack: Attack, rng: Rng): Params {
  for (let i = 0; i < 4000; i++) {
    const recipe = rng.pick(RECIPES);
    const p = drawScenario(rng, recipe, attack.wrap);
    if (!attack.when(p)) continue;
    attack.prepare?.(p, rng);
    return p;
  }
  throw new Error(`class ${attack.id} found no scenario`);
}

export function attackPair(attack: Attack, rng: Rng, id: string): [Labelled, Labelled] {
  for (let i = 0; i < 400; i++) {
    const honest = scenarioFor(attack, rng);
    const { text, lang } = say(honest, rng);
    const envelope = drawEnvelope(rng, honest);
    const bad = attack.apply ? attack.apply(honest, rng) : honest;
    if (!bad) continue;
    // An attack that changes no byte would be labelled wrongly, so draw again.
    if (attack.apply && jsonOf(encode(bad)) === jsonOf(encode(honest))) continue;
    const badText = attack.text ? attack.text(text, honest, rng) : text;
    if (badText === null || (attack.text && badText === text)) continue;
    const twin = buildRequest(text, honest, honest, envelope);
    attack.twinRequest?.(twin, honest, rng);
    const request = buildRequest(badText, bad, honest, envelope);
    attack.request?.(request, honest, rng);
    const shared = {
      ...common(honest, lang),
      klass: attack.id,
      pair: id,
      critical: attack.critical,
      nodes: attack.nodes,
    };
    return [
      {
        params: bad,
        honest,
        case: { id: `${id}a`, split: "attack", ...shared, expected: "REJECT", request },
      },
      {
        params: honest,
        honest,
        case: { id: `${id}b`, split: "twin", ...shared, expected: "PASS", request: twin },
      },
    ];
  }
  throw new Error(`class ${attack.id} never changed the bytes`);
}
