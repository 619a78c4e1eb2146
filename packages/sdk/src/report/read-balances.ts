// Reads the balances of the account before and after the transaction. A report without them, or with malformed ones, has none.
import { assetOf } from "./read-effects.ts";
import type { AssetBalance, Balances } from "./types.ts";
import { listOf, makeTextOf, membersOf, type TextOf } from "./values.ts";
import type { ReadReportOptions } from "./read-report.ts";

const notRead = "The state of the chain was not read.";
const notReadable = "The report cannot be read.";

/** As large as 2^256. */
const unitsOf = (value: unknown): string | null =>
  typeof value === "string" && /^\d{1,78}$/.test(value) ? value : null;

/**
 * Reads the balances of the account before and after the transaction from a report. They are known only if the validator
 * executed the transaction on a proven state of the chain. Accepts any input.
 *
 * @example
 * const balances = readBalances(receipt.report);
 * if (balances.isKnown) for (const { symbol, before, after } of balances.assets) console.log(symbol, before, after);
 */
export function readBalances(report: unknown, options: ReadReportOptions = {}): Balances {
  const { balances, state } = membersOf(membersOf(report)["context"]);
  const textOf = makeTextOf(options.text ?? ((text) => text));
  const { status, why, account, block, fee_included: fee, complete, assets } = membersOf(balances);
  if (status === "unknown") return { isKnown: false, why: textOf(why) ?? notReadable };
  if (balances === undefined)
    return {
      isKnown: false,
      why: state === undefined ? notRead : "The report was made before balances were recorded.",
    };
  const [number, holder] = [unitsOf(block), textOf(account)];
  if (status !== "known" || number === null || holder === null || !Array.isArray(assets))
    return { isKnown: false, why: notReadable };
  return {
    isKnown: true,
    account: holder,
    block: number,
    isFeeIncluded: fee === true,
    isComplete: complete === true,
    assets: listOf(assets).map((one) => balanceOf(one, textOf)),
  };
}

function balanceOf(value: unknown, textOf: TextOf): AssetBalance {
  const { decimals, before, after, measured } = membersOf(value);
  const isMeasured = measured === true;
  return {
    ...assetOf(value, textOf),
    decimals:
      Number.isInteger(decimals) && Number(decimals) >= 0 && Number(decimals) <= 255
        ? Number(decimals)
        : null,
    before: unitsOf(before),
    after: unitsOf(after),
    isMeasured: isMeasured && unitsOf(before) !== null && unitsOf(after) !== null,
  };
}

/**
 * Formats base units exactly: `formatUnits("1500000", 6)` is `1.5`. Without decimals it is `1500000 base units`.
 */
export function formatUnits(units: string, decimals: number | null): string {
  if (decimals === null) return `${units} base units`;
  const digits = units.replace(/^0+(?=\d)/, "").padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const rest = digits.slice(digits.length - decimals).replace(/0+$/, "");
  return rest === "" ? whole : `${whole}.${rest}`;
}
