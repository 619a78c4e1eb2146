// The rules of the test double. They are simple so that a reader of a test can predict the response.

export type Prompt = {
  readonly system: string;
  readonly marker: string;
  readonly nonce: string;
  /** With blanks again. */
  readonly words: string;
  /** Each as JSON text. */
  readonly effects: readonly string[];
  /** The text to divide into parts, or null for a question about a request. */
  readonly text: string | null;
};

export type Answer = {
  readonly status: "PASS" | "FAIL" | "SKIP";
  readonly issue_codes: readonly string[];
  readonly quote: readonly (readonly [number, number])[];
  readonly why: string;
  readonly nonce: string;
};

const pressure = /hurry|before midnight|lose access|you have won|from support|tell nobody/i;
const purpose = /embargo|taxman|hacked|behind the bank's back/i;

/** One object to each question: the question is told by a word that only its system text has. */
export function answerByRule({ system, words, effects, nonce }: Prompt): Answer {
  if (system.includes("pressed or lured")) return object(pressure.exec(words), "urgency", nonce);
  if (system.includes("unlawful purpose")) return object(purpose.exec(words), "other_crime", nonce);
  return object(findUnmet(words, effects), "wrong_amount", nonce);
}

const object = (found: RegExpExecArray | null, code: string, nonce: string): Answer =>
  found === null
    ? { status: "PASS", issue_codes: [], quote: [], why: "Nothing to object to.", nonce }
    : {
        status: "FAIL",
        issue_codes: [code],
        quote: [[found.index, found.index + found[0].length]],
        why: `It says “${found[0]}”.`,
        nonce,
      };

const request =
  /^(?<story>.*\.\s+)?(?<act>send|pay)\s+(?<amount>\d[\d,.]* [A-Z]+)\s+(?<frame>to)\s+(?<recipient>0x[0-9a-f]{40})(?<formula>\W*)$/isu;

/** Reads "Send 5 ETH to 0x…", with finished sentences before it. */
export function readByRule(text: string): unknown {
  const found = request.exec(text)?.groups;
  if (found === undefined) return { version: 1, steps: [], pieces: [] };
  const pieces = Object.entries(found)
    .filter(([, part]) => (part as string | undefined) !== undefined && part.trim() !== "")
    .map(([as, part]) => ({ text: part, as, ...(as === "story" || as === "formula" ? {} : { step: 0 }) }));
  return { version: 1, steps: [{ act: "pay" }], pieces };
}

/** A number in the request that no effect contains. */
function findUnmet(words: string, effects: readonly string[]): RegExpExecArray | null {
  const done = effects.join(" ").replaceAll(",", "");
  const numbers = [...words.matchAll(/(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)/g)];
  return numbers.find(([number]) => !done.includes(number.replaceAll(",", ""))) ?? null;
}
