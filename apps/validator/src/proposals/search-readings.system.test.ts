/** Searches readings that make a text pass which must not. `SEED=… npm run soak` repeats a run. */
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import { seedFor, sizeOf } from "@countersign/tools/testing";
import { makeRandom } from "../../test/random.ts";
import { startEngine, type RealEngine } from "../../test/real-engine.ts";
import { bench, passes, readSets, searchAll } from "../../test/search-readings.ts";
import { bob, payment } from "../../test/some-requests.ts";
import { languageOf } from "../words/language.ts";
import { readCharacters } from "../words/unicode.ts";

const random = makeRandom(seedFor("SEED"));
const mutations = sizeOf({ part: 2, all: 3 });
const hours = 6 * 3_600_000;

let engine: RealEngine["engine"];
beforeAll(async () => {
  ({ engine } = await startEngine());
}, 240_000);

const cases = readSets();

/** `all` of them in a soak, a random `part` for each change. */
const sample = <T>(list: readonly T[], part: number, all = list.length): readonly T[] => {
  const count = sizeOf({ part, all });
  return count >= list.length ? list : Array.from({ length: count }, () => random.pick(list));
};

const searchIn = (requests: Parameters<typeof searchAll>[0]) =>
  searchAll(requests, { engine, random, mutations });
const saying = (text: string) => ({ ...payment, human_intent: text });

const asks = {
  en: `Please send 0.1 ETH to ${bob}.`,
  es: `Por favor, envía 0,1 ETH a ${bob}.`,
  pt: `Por favor, envia 0,1 ETH para ${bob}.`,
  fr: `Envoie 0,1 ETH à ${bob}, s'il te plaît.`,
  de: `Bitte sende 0,1 ETH an ${bob}.`,
} as const;
const languages = Object.keys(asks) as (keyof typeof asks)[];

type Lists = Readonly<Record<string, readonly string[]>>;
type Written = { readonly changing: Readonly<Record<string, Lists>> };

/** Sentences by authors who saw neither the code nor each other's, before and after a request. */
function changedTexts(): readonly string[] {
  const files = ["unseen-1.json", "unseen-2.json"].map(
    (name) => JSON.parse(readFileSync(new URL(`sweep/${name}`, bench), "utf8")) as Written,
  );
  return files.flatMap(({ changing }) =>
    Object.values(changing).flatMap((lists) =>
      languages.flatMap((language) =>
        (lists[language] ?? []).flatMap((said) => [`${asks[language]} ${said}`, `${said} ${asks[language]}`]),
      ),
    ),
  );
}

describe("no reading makes a text pass that must not pass", () => {
  test("attacks of all sets", { timeout: hours }, async () => {
    const attacks = cases.filter(({ expected }) => expected === "REJECT").map(({ request }) => request);
    const { tried, gained } = await searchIn(sample(attacks, 150));
    expect(gained).toEqual([]);
    expect(tried).toBeGreaterThan(5_000);
  });

  test("requests with a sentence that changes them", { timeout: hours }, async () => {
    const { tried, gained } = await searchIn(sample(changedTexts(), 150).map(saying));
    expect(gained).toEqual([]);
    expect(tried).toBeGreaterThan(2_000);
  });

  test("a report of another payment, if the transaction repeats that one", { timeout: hours }, async () => {
    const text = `Last month I sent her 0.1 ETH. Send 0.2 ETH to ${bob}.`;
    const { used, gained } = await searchIn([saying(text)]);
    expect(gained).toEqual([]);
    expect(used).toBeGreaterThan(0);
  });
});

/** Reports of payments. */
const reports: Readonly<Record<string, readonly string[]>> = {
  en: ["Last month I sent him 37 USDC.", "We paid 37 USDC for the last one."],
  es: ["Ayer le envié 37 USDC.", "El mes pasado le pagué 37 USDC."],
  fr: ["Hier je lui ai envoyé 37 USDC.", "Le mois dernier j'ai payé 37 USDC."],
  de: ["Im Mai habe ich ihm 37 USDC geschickt.", "Letzten Monat habe ich 37 USDC bezahlt."],
};

/** Measures the gain where a proposal can help: honest requests that pass, after a sentence about another payment. */
test(
  "honest requests after a report of another payment pass with a reading",
  { timeout: hours },
  async () => {
    const honest = sample(
      cases.filter(({ expected }) => expected === "PASS"),
      100,
      600,
    );
    const texts: (typeof honest)[number]["request"][] = [];
    let before = 0;
    for (const { request } of honest) {
      const said = request.human_intent;
      const own = reports[languageOf(readCharacters(said).clean, engine.lexicon)];
      if (own === undefined || !(await passes(request, engine, null))) continue;
      const reported = { ...request, human_intent: `${random.pick(own)} ${said}` };
      texts.push(reported);
      before += Number(await passes(reported, engine, null));
    }
    const { gained } = await searchIn(texts);
    console.log(
      `${texts.length} requests after a report: ${before} pass without a reading, ${gained.length} more with one`,
    );
    expect(gained.length).toBeGreaterThan(0);
  },
);
