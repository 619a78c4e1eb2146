// Builds all cases for one seed. `--cases` scales the sizes and keeps the shares.
import { ATTACKS } from "../attacks/index.ts";
import { must } from "../must.ts";
import { RECIPES } from "../recipes/index.ts";
import { Rng } from "../rng.ts";
import type { BenchCase } from "../types.ts";
import { controlCase, crossPair, paraphraseGroup } from "./groups.ts";
import { incidentCases } from "./incidents.ts";
import { attackPair, benignCase, type Labelled } from "./pairs.ts";

export type CaseSet = {
  cases: BenchCase[];
  labelled: Labelled[];
};

export type BuildOptions = {
  seed: number;
  cases: number;
  klass?: string;
};

export function buildCases(options: BuildOptions): CaseSet {
  const rng = new Rng(options.seed);
  const attacks = ATTACKS.filter((a) => !options.klass || a.id === options.klass);
  const share = options.klass ? options.cases / 2 : (options.cases * 0.62) / 2;
  const perClass = Math.max(4, Math.round(share / Math.max(1, attacks.length)));
  const labelled: Labelled[] = [];
  for (const attack of attacks)
    for (let i = 0; i < perClass; i++)
      labelled.push(...attackPair(attack, rng.fork(`${attack.id}.${i}`), `${attack.id}.${i}`));
  if (options.klass && options.klass !== "cross_pair")
    return { cases: labelled.map((x) => x.case), labelled };
  const benign = Math.round(options.cases * 0.2);
  for (let i = 0; i < benign; i++)
    labelled.push(benignCase(rng.fork(`benign.${i}`), must(RECIPES[i % RECIPES.length]), `benign.${i}`));
  const cases = labelled.map((x) => x.case);
  // A group needs a template with ten forms; every action has at least twelve.
  const groups = Math.max(48, Math.round(options.cases * 0.008));
  for (let i = 0; i < groups; i++)
    cases.push(...paraphraseGroup(rng.fork(`group.${i}`), must(RECIPES[i % RECIPES.length]), `group.${i}`));
  const cross = Math.round(options.cases * 0.06);
  for (let i = 0; i < cross; i++) cases.push(crossPair(rng.fork(`cross.${i}`), `cross.${i}`));
  const controls = Math.round(options.cases * 0.03);
  for (let i = 0; i < controls; i++) cases.push(controlCase(rng.fork(`control.${i}`), `control.${i}`));
  cases.push(...incidentCases());
  return { cases, labelled };
}
