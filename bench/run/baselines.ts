// Much simpler validators, run on the same cases. Ours must beat them.
import { getAddress, isHexString } from "ethers";
import { TOKENS } from "../data/tokens.ts";
import { must } from "../must.ts";
import type { BenchCase, ValidateRequest } from "../types.ts";
import type { Outcome } from "./client.ts";
import { figures, type Rate } from "./metrics.ts";

export type BaselineFigure = {
  name: string;
  recall: Rate;
  falseRejects: Rate;
  twins: Rate;
};

type Baseline = (request: ValidateRequest) => boolean;

type Tx = {
  to?: string;
  data?: string;
  value?: string | number;
};

function txs(request: ValidateRequest): Tx[] {
  const tx = request.proposed_tx as Tx & { transactions?: Tx[] };
  return tx.transactions ?? [tx];
}

function wellFormed(tx: Tx): boolean {
  if (tx.to === undefined) return true;
  try {
    getAddress(tx.to);
  } catch {
    return false;
  }
  return tx.data === undefined || (isHexString(tx.data) && tx.data.length % 2 === 0);
}

/** Searches the payload as text for the amount, symbol and address of the request. */
function regexMatcher(request: ValidateRequest): boolean {
  const text = request.human_intent;
  const bytes = JSON.stringify(request.proposed_tx).toLowerCase();
  const addresses = text.match(/0x[0-9a-fA-F]{40}/g) ?? [];
  if (!addresses.every((a) => bytes.includes(a.slice(2).toLowerCase()))) return false;
  const found = /(\d[\d,]*\.?\d*)\s*(k?)\s*([A-Za-z.]{2,6})/i.exec(text);
  if (!found) return addresses.length > 0;
  const number = Number(must(found[1]).replaceAll(",", "")) * (found[2] ? 1000 : 1);
  const symbol = must(found[3]).toUpperCase();
  const token = TOKENS.find((t) => t.symbol.toUpperCase() === symbol);
  const decimals = token?.decimals ?? 18;
  const units = (BigInt(Math.round(number * 1e6)) * 10n ** BigInt(decimals)) / 1_000_000n;
  return bytes.includes(units.toString(16)) || bytes.includes(units.toString());
}

const BASELINES: Record<string, Baseline> = {
  "format only": (r) => txs(r).every(wellFormed),
  "always PASS": () => true,
  "always REJECT": () => false,
  "regex amount+symbol+address": regexMatcher,
};

export function baselines(cases: readonly BenchCase[]): BaselineFigure[] {
  return Object.entries(BASELINES).map(([name, approves]) => {
    const outcomes = cases.map((item): Outcome => ({
      case: item,
      status: 200,
      decision: approves(item.request) ? "PASS" : "REJECT",
      assessment: null,
      node: null,
      failed: [],
      reason: "",
      millis: 0,
    }));
    const f = figures(outcomes);
    return { name, recall: f.recall, falseRejects: f.falseRejects, twins: f.twins };
  });
}
