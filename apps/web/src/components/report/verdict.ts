// The headline of a verdict and a summary of the effect.
import type { Flow, NetEffect, ReadReport } from "@countersign/sdk/report";
import type { Tone } from "../badge.tsx";
import { grantsOf, isUnlimited } from "./effects.ts";
import { flagsOf } from "./flags.ts";
import {
  amountOf,
  assetName,
  coinAmount,
  controlOf,
  isPartlyUnread,
  partyName,
  powerOf,
  runsForeignCode,
  untilOf,
  withPlainCalls,
} from "./plain-words.ts";

export type Verdict = {
  readonly tone: Extract<Tone, "good" | "bad" | "open" | "risk">;
  readonly headline: string;
  /** The reason, in one sentence. */
  readonly because: string | null;
};

/** Strips the full stop: the component adds it. */
const bare = (sentence: string): string => withPlainCalls(sentence).trim().replace(/\.$/, "");

export function verdictOf(report: ReadReport | undefined): Verdict {
  if (report === undefined)
    return {
      tone: "open",
      headline: "Could not be verified",
      because: "There’s no readable report, so it hasn’t been compared with your request",
    };
  const { outcome, headline } = report;
  if (outcome === "matches") return matchOf(report);
  const flags = flagsOf(report);
  if (outcome === "unverified") {
    const open = flags.find(({ isOpen }) => isOpen);
    return {
      tone: "open",
      headline: `${headline}: your decision`,
      because: bare(open?.reasoning ?? report.reason),
    };
  }
  const failed = flags.find(({ isOpen }) => !isOpen);
  return { tone: "bad", headline, because: worstOf(report, failed?.reasoning) };
}

/** Access can be used later, so a match that gives any is never green. */
function matchOf(report: ReadReport): Verdict {
  const [held] = grantsOf(report);
  const byEffect = report.assessment?.byEffect ?? null;
  // An effect is that of one block, so it is never green.
  if (held === undefined && byEffect !== null)
    return {
      tone: "risk",
      headline: `${report.headline}: checked by its effect on block ${byEffect.block}`,
      because: `We don’t know the contract ${partyName(byEffect.contract)}, only what this transaction does on that block`,
    };
  if (held === undefined) return { tone: "good", headline: report.headline, because: null };
  const all = grantsOf(report).find(isUnlimited);
  const end = untilOf((all ?? held).until) === null ? "until you revoke it" : "until the date below";
  return {
    tone: "risk",
    headline:
      all === undefined ? "Matches, but gives access to your tokens" : "Matches, but gives unlimited access",
    because: `${partyName((all ?? held).spender)} ${powerOf(all ?? held)}, ${end}`,
  };
}

/** Describes unknown code in our own words, since it outweighs any other reason. */
function worstOf(report: ReadReport, first: string | undefined): string {
  if (runsForeignCode(report)) return controlOf({ kind: "delegatecall", party: null });
  const told = bare(first ?? report.reason);
  return told === "" ? "It was blocked without a reason" : told;
}

const isSame = (one: Flow, other: Flow): boolean =>
  one.kind === other.kind && one.address === other.address && one.id === other.id;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Lists payments to others first, then what else leaves, then what arrives. */
function movesOf({ leaves, arrives, others }: NetEffect): readonly string[] {
  const said = (flow: Flow, side: "leaves" | "arrives"): string =>
    `${lowerFirst(amountOf(flow, side))} ${assetName(flow)}`;
  return [
    ...others.map((flow) => `sends ${said(flow, "leaves")} to ${partyName(flow.party)}`),
    ...leaves
      .filter((flow) => !others.some((other) => isSame(flow, other)))
      .map((flow) => `sends ${said(flow, "leaves")}`),
    ...arrives.map((flow) => `receives ${said(flow, "arrives")}`),
  ];
}

/** Summarizes what moves, who gains access, and whether part of it is unread. */
export function inShort(report: ReadReport, value: string, chainId: number): readonly string[] {
  const { authority, control } = report.net;
  const moved = movesOf(report.net);
  const isPart = isPartlyUnread(report);
  const handed = control.map(({ kind, party }) =>
    party === null
      ? lowerFirst(controlOf({ kind, party }))
      : `gives control of your wallet to ${partyName(party)}`,
  );
  const inControl = new Set(control.map(({ party }) => party));
  return [
    ...moved,
    ...(moved.length === 0 && value !== "0" ? [`sends ${coinAmount(value, chainId)}`] : []),
    ...(moved.length === 0 && value === "0" && !isPart ? ["sends nothing now"] : []),
    ...handed,
    ...authority
      .filter(({ spender }) => !inControl.has(spender))
      .map((held) => `${partyName(held.spender)} ${powerOf(held)}`),
    ...(isPart && !runsForeignCode(report) ? ["does something we can’t read"] : []),
  ];
}
