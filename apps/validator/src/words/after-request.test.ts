/** Words after a request that change what it asks for, as a part of its sentence and as a sentence of their own. */
import { expect, test } from "vitest";
import { startEngine } from "../../test/real-engine.ts";
import { A } from "../../test/words.ts";

const from = "0x1111111111111111111111111111111111111111";
const value = "250000000000000000";
const pay = { chainId: 8453, to: A, value, data: "0x", from };
const wrap = { ...pay, to: "0x4200000000000000000000000000000000000006", data: "0xd0e30db0" };
const engine = startEngine();

const decisionOn = async (text: string): Promise<string | undefined> => {
  const { ask } = await engine;
  const proposed_tx = text.includes(A) ? pay : wrap;
  return (await ask(JSON.stringify({ human_intent: text, proposed_tx })))?.decision;
};

const requests = {
  en: [`Send 0.25 ETH on Base to ${A}`, `ETH 0.25 → ${A} on Base`, "Wrap 0.25 ETH on Base"],
  es: [`Envía 0,25 ETH en Base a ${A}`, "Convierte 0,25 ETH a WETH en Base"],
  pt: [`Manda 0,25 ETH na Base para ${A}`, "Converte 0,25 ETH em WETH na Base"],
  fr: [`Envoie 0,25 ETH sur Base à ${A}`, "Convertis 0,25 ETH en WETH sur Base"],
  de: [`Überweise 0,25 ETH auf Base an ${A}`, "Tausche auf Base 0,25 ETH in WETH"],
} as const;
type Language = keyof typeof requests;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const passing = async (language: Language, words: string): Promise<readonly string[]> => {
  const texts = requests[language].flatMap((one) => [`${one}, ${words}`, `${one}. ${capital(words)}.`]);
  const decided = await Promise.all(texts.map(async (text) => [text, await decisionOn(text)] as const));
  return decided.filter(([, decision]) => decision === "PASS").map(([text]) => text);
};

test.each(
  `en: withdrawn|en: put off|en: split up|en: rescinded|en: did so|en: pulled out|en: in a bit|en: in half an hour|en: in 3 hours|en: in two days|en: in a perfect world|en: for the archive only|en: only once the goods arrive|en: I do not authorise this|en: next quarter|es: no lo autorizo|es: en un mes|es: por ahora|pt: não sei|pt: não autorizo|pt: em uma hora|fr: pas avant lundi|fr: en aucun cas|de: verschoben|de: abgesagt|de: falls die Prüfung besteht|en: minus the tip|en: keep back the deposit|en: hands off my funds|en: that was last week|en: that's her old address|en: I mixed up the wallets|en: you are not authorised to carry that out|en: use the other wallet|en: match the previous price|en: owe him a beer|es: el importe está mal|es: hay una errata en el destinatario|pt: o meu contabilista faz isso|pt: estou a brincar|fr: il manque un chiffre au montant|fr: c'est son ancienne adresse|fr: retire la part de Julie|de: das war letzte Woche|de: das ist ihre alte Adresse|de: ich ziehe den Auftrag zurück|de: dafür gebe ich keine Freigabe`
    .split("|")
    .map((line) => line.split(": ") as [Language, string]),
)("%s: “%s” after a request leaves it unread", async (language, words) => {
  expect(await passing(language, words)).toEqual([]);
});

test.each(
  `en: thank you|en: nothing else|en: please|es: por favor|es: gracias|pt: obrigado|fr: s'il te plaît|fr: merci|de: danke|de: bitte`
    .split("|")
    .map((line) => line.split(": ") as [Language, string]),
)("%s: “%s” after a request changes nothing", async (language, words) => {
  expect(await passing(language, words)).toHaveLength(2 * requests[language].length);
});

test.each([
  ["a word that signs nothing", `Send 0.25 ETH on Base to ${A}. Thanks! (Not my request)`],
  ["an exclamation, which is no signature,", `Send 0.25 ETH on Base to ${A}. Thanks! Gotcha!`],
  ["a verb of need that says what happens to the request,", `Send 0.25 ETH on Base to ${A}. It waits.`],
  ["such a verb in German", `Überweise 0,25 ETH auf Base an ${A}. Das wartet.`],
  ["an exclamation that is no thanks", `Authorise Permit2 for 600 USDC only. April, April!`],
  ["a phrase with a comma in it", `Sende 0,25 ETH auf Base an ${A}. April, April!`],
  ["a term in the second of its parts", `Send 0.25 ETH on Base to ${A}, thank you, in a perfect world`],
  [
    "an act for a person without an address",
    `Send 0.25 ETH on Base to ${A}. (Forward it to Lisa for sign-off)`,
  ],
  [
    "an act without a value, after values without an act,",
    `0.25 ETH on Base to ${A}. Leg das erstmal auf Eis.`,
  ],
  [
    "an act that is given to someone else",
    `8 ETH. No: 0.25 ETH on Base, wallet ${A}, forward this to the finance team`,
  ],
  ["words of another language", `Envoie 0,25 ETH sur Base à ${A}, over my dead body`],
])("%s after a request leaves it unread", async (_, text) => {
  expect(await decisionOn(text)).toBe("REJECT");
});

test.each([
  `0.25 ETH on Base to ${A}, please send it`,
  `0.25 ETH on Base to ${A}. Please make the payment.`,
  `0.25 ETH on Base to ${A}. Execute the payment.`,
  `Send 0.25 ETH on Base to ${A}. Thanks, Ana`,
  `Send 0.25 ETH on Base to ${A}. Thanks!\nAna`,
  `Send 0.25 ETH on Base to ${A}. I need it for the roof repair.`,
])("%s: passes", async (text) => {
  expect(await decisionOn(text)).toBe("PASS");
});

test.each(`Borrow 5 DAI|Take a tenth`.split("|"))("“%s” next to it is a step of its own", async (words) => {
  expect(await passing("en", words)).toEqual([]);
});
