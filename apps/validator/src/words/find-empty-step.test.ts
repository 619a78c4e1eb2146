import { expect, test } from "vitest";
import { A, lexicon } from "../../test/words.ts";
import { findEmptyStep } from "./find-empty-step.ts";
import { readItems } from "./read-items.ts";
import { readWords } from "./read-words.ts";
import { readCharacters } from "./unicode.ts";

const emptyIn = (text: string): string | null => {
  const { steps, language } = readWords(text, lexicon);
  const span = findEmptyStep(steps, readItems(readCharacters(text), lexicon, language));
  return span === null ? null : text.slice(...span);
};

test.each([
  ["no value at all, in German", `Sende 5 USDC an ${A}. Ich ziehe den Auftrag zurück.`, "ziehe"],
  ["no value at all, in French", `Envoie 5 USDC à ${A}. Retire la part de Julie.`, "Retire"],
  ["only a pronoun", `Send 5 USDC to ${A}. Save it as a note.`, "Save"],
  ["only a pronoun, on a line of its own", `Send 5 USDC to ${A}\nPark it for the coming fiscal year`, "Park"],
  ["nothing, where the asset is understood", `Send 5 USDC to ${A}. Keep back the deposit.`, "deposit"],
  ["a name that is not compared", `Send 5 USDC to ${A}. Forward it to Lisa.`, "Forward"],
  ["a name, after a comma", `Send 5 USDC to ${A}, forward it to Lisa`, "forward"],
])("an act with %s is no step", (_, text, verb) => {
  expect(emptyIn(text)).toBe(verb);
});

test.each([
  ["with its own value", "Wrap 5 ETH. Supply the WETH on Aave."],
  ["that continues the one before", "Swap 5 ETH for USDC and deposit it"],
  ["after “then”", "Approve 5 USDC to Aave. Then supply it."],
  ["said again", `Send 5 USDC to ${A}. Please make the payment.`],
  ["that is the only one", "Wrap 5 ETH"],
  ["that only names the access again", `Stop ${A} from spending my USDC: revoke its approval now`],
])("an act %s is a step", (_, text) => {
  expect(emptyIn(text)).toBeNull();
});
