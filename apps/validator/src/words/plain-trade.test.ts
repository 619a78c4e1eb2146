/** One trade read by its words of weight alone, and everything that leaves no such reading. */
import { describe, expect, test } from "vitest";
import { readWords } from "./read-words.ts";
import { A, decimalText, lexicon } from "../../test/words.ts";
import type { Portion } from "../intent.ts";

const shown = (portion: Portion | undefined): string => {
  const { asset, quantity } = portion ?? { asset: null, quantity: null };
  const n = quantity !== null && "n" in quantity && typeof quantity.n !== "bigint" ? quantity : null;
  const amount = n === null || typeof n.n === "bigint" ? "" : `${n.kind} ${decimalText(n.n)} `;
  return `${amount}${asset?.kind === "symbol" ? asset.symbol : "?"}`;
};

const trade = (text: string): string | null => {
  const read = readWords(text, lexicon);
  const other = (read.others ?? []).find(({ steps }) => steps[0]?.acts[0] === "swap");
  const step = other?.steps[0];
  return step === undefined ? null : `${shown(step.gives[0])} -> ${shown(step.gets[0])}`;
};

describe("every amount says by its own cue on which side it is", () => {
  test.each([
    [
      "Swap 300 UNI into USDC on Uniswap via WETH, with at least 900 USDC out.",
      "exact 300 UNI -> least 900 USDC",
    ],
    [
      "exactOutputSingle: amountOut 5 WETH, amountInMaximum 15,700 USDT, on Uniswap",
      "most 15700 USDT -> exact 5 WETH",
    ],
    [
      "Ich will genau 0,05 WBTC haben und höchstens 4.850,00 USDC dafür zahlen (Uniswap).",
      "most 4850 USDC -> exact 0.05 WBTC",
    ],
    [
      "Two-call bundle: USDC approval + Uniswap trade of 780 USDC into >= 0.247 WETH.",
      "exact 780 USDC -> least 0.247 WETH",
    ],
    [
      "Universal Router, V3_SWAP_EXACT_IN: 25,000 USDC in, 7.93 WETH minimum out",
      "exact 25000 USDC -> least 7.93 WETH",
    ],
  ])("%s", (text, wanted) => {
    expect(trade(text)).toBe(wanted);
  });
});

describe("there is no such reading", () => {
  test.each([
    ["of a refusal", "do not swap 300 UNI into USDC"],
    ["of a condition", "swap 300 UNI into USDC, at least 900 USDC, if the price is above 3"],
    ["of something for later", "swap 300 UNI into USDC tomorrow"],
    ["of two trades", "swap 300 UNI into USDC and 5 DAI into WETH"],
    ["of a trade and a payment", `swap 300 UNI into USDC and send 5 USDC to ${A}`],
    ["of a side without a cue", "swap 300 UNI, 900 USDC"],
    ["of cues that disagree", "swap 300 UNI for at most 900 USDC out"],
    ["of a share", "swap half of my UNI into USDC"],
    ["of a quote", "quote a swap of 300 UNI into USDC"],
  ])("%s", (_, text) => {
    expect(trade(text)).toBeNull();
  });
});
