/** Values with their markers, as they stand in a request. */
import type { Span } from "../../intent.ts";
import { decimal } from "../../words/numbers.ts";
import { amountsAt, assetsAt, collectiblesAt, durationsAt, isMark, lowAt, memoize, numbersAt, ofClass, spanOf, type Read, type Source } from "../values.ts";
import { partiesAt } from "./parties.ts";
import type { Arg, Value } from "./state.ts";

const markers = ["to", "into", "for", "from", "on", "in", "via", "using", "with", "at", "of", "as", "by", "toward", "behalf"] as const;
const articles = new Set("the my our a an your this that".split(" "));

/** Every value that starts here, with every marker it can have. */
export const argsAt = (source: Source, at: number): readonly Read<Arg>[] => memoize(source, source.memory.args, at, findArgs);

function findArgs(source: Source, at: number): readonly Read<Arg>[] {
  const out: Read<Arg>[] = [...boundedAt(source, at, ""), ...valuesAt(source, at, "")];
  for (const marker of markers)
    for (const { end } of ofClass(source, at, marker)) out.push(...boundedAt(source, end, marker), ...valuesAt(source, end, marker));
  for (const { end } of ofClass(source, at, "arrow")) out.push(...boundedAt(source, end, "->"), ...valuesAt(source, end, "->"));
  const unique = new Map<string, Read<Arg>>();
  for (const { end, value } of out) {
    const one = { end, value: { ...value, span: spanOf(source, at, end) } };
    unique.set(`${end}${value.marker}${value.bound ?? ""}${shapeOf(value.value)}`, one);
  }
  return [...unique.values()];
}

const shapeOf = (value: Value): string =>
  JSON.stringify(value, (key, part: unknown) => (key === "span" ? undefined : typeof part === "bigint" ? String(part) : part));

const arg = (value: Value, marker: string, bound: Arg["bound"] = null): Arg => ({ marker, bound, value, span: [0, 0] as Span, term: false });

function boundedAt(source: Source, at: number, marker: string): readonly Read<Arg>[] {
  const out: Read<Arg>[] = [];
  for (const side of ["least", "most", "exact", "about"] as const)
    for (const bound of ofClass(source, at, "bound").filter(({ value }) => value === side)) {
      const from = isMark(source, bound.end, ":=") ? bound.end + 1 : bound.end;
      for (const { end, value } of amountsAt(source, from)) {
        out.push({ end, value: arg({ type: "amount", amount: value }, marker, side) });
        for (const after of ofClass(source, end, "after").filter((one) => one.value === side))
          out.push({ end: after.end, value: arg({ type: "amount", amount: value }, marker, side) });
      }
    }
  for (const { end, value } of amountsAt(source, at))
    for (const side of ["least", "most"] as const) {
      const from = isMark(source, end, ",") ? [end, end + 1] : [end];
      for (const start of from)
        for (const after of ofClass(source, start, "after").filter((one) => one.value === side))
          out.push({ end: after.end, value: arg({ type: "amount", amount: value }, marker, side) });
      if (side === "least" && isMark(source, end, "+")) out.push({ end: end + 1, value: arg({ type: "amount", amount: value }, marker, side) });
    }
  return out;
}

function valuesAt(source: Source, at: number, marker: string): readonly Read<Arg>[] {
  const from = articles.has(lowAt(source, at)) ? at + 1 : at;
  const out: Read<Arg>[] = [];
  const push = (end: number, value: Value): void => void out.push({ end, value: arg(value, marker) });
  for (const { end, value } of amountsAt(source, at)) push(end, { type: "amount", amount: value });
  if (from > at) for (const { end, value } of amountsAt(source, from)) if (value.asset !== null) push(end, { type: "amount", amount: value });
  for (const { end, value } of [...assetsAt(source, from, false), ...collectiblesAt(source, from)]) push(end, { type: "asset", asset: value });
  for (const { end, value } of partiesAt(source, at)) push(end, { type: "party", party: value });
  for (const { end, value } of chainsAt(source, from)) push(end, { type: "chain", name: value });
  for (const { end, value } of venuesAt(source, from)) push(end, { type: "venue", venue: value, avoid: false });
  out.push(...termsAt(source, from, marker));
  return out;
}

const chainNouns = new Set("network chain mainnet l2 blockchain side".split(" "));
export const chainsAt = (source: Source, at: number): readonly Read<string>[] =>
  ofClass(source, at, "chain").flatMap(({ end, value }) => {
    const plain = { end, value };
    return chainNouns.has(lowAt(source, end)) ? [plain, { end: end + 1, value }] : [plain];
  });

const venueNouns = new Set("pool router protocol contract market vault bridge app exchange dex lending swap marketplace".split(" "));
const venuesAt = (source: Source, at: number): readonly Read<string>[] =>
  ofClass(source, at, "venue").flatMap(({ end, value }) => {
    let stop = end;
    const out = [{ end, value }];
    while (venueNouns.has(lowAt(source, stop))) out.push({ end: (stop += 1), value });
    return out;
  });

/** Slippage, deadlines, pool fees, interest rates. */
function termsAt(source: Source, at: number, marker: string): readonly Read<Arg>[] {
  const out: Read<Arg>[] = [];
  const push = (end: number, value: Value): void => void out.push({ end, value: arg(value, marker) });
  const percentAt = (from: number): readonly { end: number; bps: bigint | null }[] =>
    numbersAt(source, from).flatMap(({ end, value }) => {
      if (!isMark(source, end, "%") && lowAt(source, end) !== "percent" && lowAt(source, end) !== "bps") return [];
      const scale = lowAt(source, end) === "bps" ? 1n : 100n;
      const digits = value.n.digits * scale;
      const unit = 10n ** BigInt(Math.max(0, value.n.scale));
      return [{ end: end + 1, bps: value.n.scale >= 0 && digits % unit === 0n ? digits / unit : null }];
    });
  const skipBound = (from: number): readonly number[] => [from, ...ofClass(source, from, "bound").filter(({ value }) => value === "most" || value === "exact").map(({ end }) => end)];
  for (const from of skipBound(at))
    for (const { end, bps } of percentAt(from)) {
      for (const slip of ofClass(source, end, "slippage")) if (bps !== null) push(slip.end, { type: "slippage", bps });
      for (const tier of ofClass(source, end, "tier")) push(tier.end, { type: "choice" });
    }
  for (const slip of ofClass(source, at, "slippage"))
    for (const from of [slip.end, isMark(source, slip.end, ":=") ? slip.end + 1 : slip.end].flatMap(skipBound))
      for (const { end, bps } of percentAt(from)) if (bps !== null) push(end, { type: "slippage", bps });
  for (const tier of ofClass(source, at, "tier"))
    for (const { end } of percentAt(isMark(source, tier.end, ":=") || lowAt(source, tier.end) === "of" ? tier.end + 1 : tier.end)) push(end, { type: "choice" });
  for (const within of ofClass(source, at, "within"))
    for (const { end, value } of durationsAt(source, isMark(source, within.end, ":=") ? within.end + 1 : within.end)) push(end, { type: "deadline", seconds: value });
  for (const rate of ofClass(source, at, "rate")) push(rate.end, { type: "choice" });
  out.push(...pricesAt(source, at, marker));
  return out;
}

/** "at 3000 USDC per ETH". */
function pricesAt(source: Source, at: number, marker: string): readonly Read<Arg>[] {
  if (marker !== "at" && marker !== "for") return [];
  return amountsAt(source, at).flatMap(({ end, value }) => {
    if (value.quantity?.kind !== "exact" || value.asset === null) return [];
    const { n } = value.quantity;
    return ofClass(source, end, "per").flatMap((per) =>
      assetsAt(source, per.end, true).map((base) => ({
        end: base.end,
        value: arg({ type: "price", n, quote: value.asset, base: base.value }, marker),
      })),
    );
  });
}

export const zero = decimal(0n);
