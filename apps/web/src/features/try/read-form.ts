// What somebody entered, as the service takes it, or what is wrong with each field. Whether it is a good idea is not for here.

export type Entered = {
  readonly words: string;
  readonly to: string;
  /** In coin, not in wei. */
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

/** Coin as wei, by its digits. Undefined if it is no amount, or more than a transaction can carry. */
export function toWei(coin: string): string | undefined {
  const [, whole = "", rest = ""] = /^(\d*)(?:\.(\d*))?$/.exec(coin) ?? [];
  if (`${whole}${rest}` === "" || rest.length > coinDecimals || whole.length > 60) return undefined;
  const wei = BigInt(`${whole}${rest.padEnd(coinDecimals, "0")}`);
  return wei < 2n ** 256n ? wei.toString() : undefined;
}

function wordsProblem(words: string): string | undefined {
  if (words.trim() === "") return "Say in words what was asked for.";
  return words.length > longestWords ? `At most ${longestWords.toLocaleString("en")} characters.` : undefined;
}

function addressProblem(text: string): string | undefined {
  return isAddress(text) ? undefined : "An address is 0x and 40 digits from 0 to 9 and a to f.";
}

function valueProblem(value: string): string | undefined {
  return toWei(value) === undefined
    ? "An amount is digits with at most one point, and at most 18 digits behind it: 0.05"
    : undefined;
}

function dataProblem(data: string): string | undefined {
  if (!/^0x[0-9a-f]*$/i.test(data)) return "Data is 0x and digits from 0 to 9 and a to f, or nothing.";
  if (data.length % 2 === 1) return "The last byte is only half there: it takes two digits.";
  return (data.length - 2) / 2 > mostBytes ? "At most 64 kB." : undefined;
}

/** People paste with line ends and blanks. */
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
