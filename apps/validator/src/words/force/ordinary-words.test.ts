import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { fold } from "../phrases.ts";
import { fileOf, loadWords, type WordList } from "./ordinary-words.ts";

const lists: readonly WordList[] = ["people", "things", "adjectives", "verbs"];
const all = (language: string): ReadonlySet<string> =>
  new Set(lists.flatMap((list) => [...loadWords(language, list)]));

/** Words that can withdraw, refuse, quote, defer or limit a request. None may count as ordinary. */
const operators: Readonly<Record<string, string>> = {
  en: "cancel cancelled stop wait waiting pause hold keep leave skip ignore forget undo reverse void reject refuse decline deny veto vetoed block freeze prevent avoid postpone delay later tomorrow soon until unless if when after before once maybe perhaps suppose imagine pretend wish doubt regret say said tell told write wrote typed quote claim report ask question translate draft template example sample test joke kidding fake scam spam phishing fraud mistake wrong error sent paid limit cap maximum rule policy never not no without instead except approval pending schedule remind prepare suggest should must may might can could would text message phrase sentence prompt attacker scammer awaiting ceiling quota lose loses losing lost die dies died dying",
  es: "cancela cancelar espera para nunca no sin si cuando después antes mañana broma prueba ejemplo borrador dijo escribió límite máximo quizás tal error estafa",
  pt: "cancela cancelar espera pare nunca não sem se quando depois antes amanhã brincadeira teste exemplo rascunho disse escreveu limite máximo talvez erro golpe",
  fr: "annule annuler attends arrête jamais ne pas sans si quand après avant demain blague test exemple brouillon dit écrit limite maximum erreur arnaque liste",
  de: "storniere stornieren warte stopp niemals nie nicht kein ohne wenn falls nachdem bevor morgen witz spaß test beispiel entwurf sagte schrieb limit maximal vielleicht fehler betrug",
  zh: "取消 等 停 不 别 没 如果 假如 以后 明天 玩笑 测试 例子 草稿 说 写 上限 最多 也许 错 骗",
};

describe.each(Object.entries(operators))("the ordinary words of %s", (language, words) => {
  const known = all(language);
  test("hold no word that can change a request", () => {
    expect(words.split(" ").filter((word) => known.has(fold(word)))).toEqual([]);
  });
  test.each(lists)("are sorted, without duplicates, in lower case: %s", (list) => {
    const lines = readFileSync(fileOf(language, list), "utf8").trimEnd().split("\n");
    expect(lines).toEqual([...new Set(lines.map((line) => line.toLowerCase()))].sort());
  });
});
