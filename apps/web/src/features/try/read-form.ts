// Parses the form into a request, or reports an error for each field.

export type Entered = {
  readonly words: string;
  readonly to: string;
  /** In units of the native token, not wei. */
  readonly value: string;
  readonly data: string;
  readonly chainId: string;
  readonly from: string;
};

export type Trial = {
  readonly intent: string;
  readonly tx: { readonly to: string; readonly value: string; readonly data: string };
  readonly chainId: number;
  readonly from?: string;
};

export type Problems = Partial<Record<keyof Entered, string>>;
export type ReadForm =
  | { readonly trial: Trial; readonly problems?: never }
  | { readonly trial?: never; readonly problems: Problems };

export const nothingEntered: Entered = { words: "", to: "", value: "0", data: "", chainId: "1", from: "" };

const longestWords = 20_000;
const mostBytes = 64 * 1024;
const coinDecimals = 18;
const isAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text);

/** Converts a decimal amount to wei. Returns undefined if it is invalid or exceeds 256 bits. */
export function toWei(coin: string): string | undefined {
  const [, whole = "", rest = ""] = /^(\d*)(?:\.(\d*))?$/.exec(coin) ?? [];
  if (`${whole}${rest}` === "" || rest.length > coinDecimals || whole.length > 60) return undefined;
  const wei = BigInt(`${whole}${rest.padEnd(coinDecimals, "0")}`);
  return wei < 2n ** 256n ? wei.toString() : undefined;
}

function wordsProblem(words: string): string | undefined {
  if (words.trim() === "") return "Enter what you asked for.";
  return words.length > longestWords ? `At most ${longestWords.toLocaleString("en")} characters.` : undefined;
}

function addressProblem(text: string): string | undefined {
  return isAddress(text) ? undefined : "An address is 0x followed by 40 characters, 0–9 and a–f.";
}

function valueProblem(value: string): string | undefined {
  return toWei(value) === undefined ? "Enter an amount like 0.05, with at most 18 decimals." : undefined;
}

function dataProblem(data: string): string | undefined {
  if (!/^0x[0-9a-f]*$/i.test(data)) return "Data is 0x followed by hex characters, or empty.";
  if (data.length % 2 === 1) return "A character is missing: hex data has an even length.";
  return (data.length - 2) / 2 > mostBytes ? "At most 64 kB." : undefined;
}

/** Removes whitespace from pasted hex. */
const withoutBlanks = (text: string): string => text.replaceAll(/\s/g, "");

export function readForm(entered: Entered): ReadForm {
  const [to, value, from] = [entered.to, entered.value, entered.from].map((text) => text.trim()) as [
    string,
    string,
    string,
  ];
  const data = withoutBlanks(entered.data) === "" ? "0x" : withoutBlanks(entered.data);
  const found: readonly (readonly [keyof Entered, string | undefined])[] = [
    ["words", wordsProblem(entered.words)],
    ["to", addressProblem(to)],
    ["value", valueProblem(value)],
    ["data", dataProblem(data)],
    ["from", from === "" ? undefined : addressProblem(from)],
  ];
  const problems = found.filter(([, problem]) => problem !== undefined);
  if (problems.length > 0) return { problems: Object.fromEntries(problems) };
  return {
    trial: {
      intent: entered.words,
      tx: { to, value: toWei(value) ?? "0", data },
      chainId: Number(entered.chainId),
      ...(from === "" ? {} : { from }),
    },
  };
}
