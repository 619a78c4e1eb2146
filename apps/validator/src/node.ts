/** Defines a check. A file under `nodes/<family>/` default-exports one; its path is its id. */
import type {
  Address,
  Asset,
  Comparison,
  Defect,
  Effect,
  EncodingFinding,
  FactName,
  Facts,
  FaultTopic,
  Leaf,
  Opinion,
  Party,
  SkipKind,
  Span,
  Where,
} from "./facts.ts";

export type Severity = "critical" | "high" | "medium" | "low";
export const families = [
  "intent_alignment",
  "technical_invariants",
  "legal_compliance",
  "adversarial_detection",
] as const;
export type Family = (typeof families)[number];

/** The details of a finding, for display. Values are plain text. */
export type Seen = {
  readonly expected?: string;
  readonly observed?: string;
  readonly words?: Span | null;
  readonly where?: Where | null;
  readonly evidence?: readonly { readonly kind: string; readonly ref: string; readonly value: string }[];
  /** The smallest change that would pass. */
  readonly fix?: string;
  /** Overrides the check's severity for this finding: an unlimited approval is worse to an unknown spender. */
  readonly severity?: Severity;
  /** Default 1. Weakest evidence it rests on. */
  readonly confidence?: number;
};

export type Finding =
  | ({ readonly status: "PASS"; readonly reasoning: string } & Seen)
  | ({ readonly status: "FAIL"; readonly reasoning: string } & Seen)
  | ({ readonly status: "SKIP"; readonly kind: SkipKind; readonly reasoning: string } & Seen);

export const pass = (reasoning: string, seen: Seen = {}): Finding => ({ status: "PASS", reasoning, ...seen });
export const fail = (reasoning: string, seen: Seen = {}): Finding => ({ status: "FAIL", reasoning, ...seen });
export const skip = (kind: SkipKind, reasoning: string, seen: Seen = {}): Finding => ({
  status: "SKIP",
  kind,
  reasoning,
  ...seen,
});

export type Node = {
  /** The claim that a PASS confirms: "Recipient matches the request". */
  readonly title: string;
  /** The title of a FAIL, at most six words: "Recipient isn’t the one you named". */
  readonly failTitle: string;
  readonly severity: Severity;
  readonly needs: readonly FactName[];
  /** Must PASS before anything that moves value may: its SKIP for want of context counts as a failure. */
  readonly required: boolean;
  /** A language model may turn its SKIP into a PASS. Never a check that guards money: see `Weight`. */
  readonly fillable?: true;
  readonly check: (facts: Facts) => Finding;
};

/** Only a check of small weight, that nothing hangs on, may be filled by a model. */
type Weight =
  | { readonly severity: Severity; readonly required?: boolean; readonly fillable?: never }
  | { readonly severity: "medium" | "low"; readonly required?: false; readonly fillable: true };

/** A check: a pure function of the facts it needs. No clock, no network, no other check; a throw is a FAIL. */
export const defineNode = <const N extends readonly FactName[]>(
  node: {
    readonly title: string;
    readonly failTitle: string;
    readonly needs: N;
    readonly check: (facts: Pick<Facts, N[number]>) => Finding;
  } & Weight,
): Node => ({ ...node, required: node.required ?? false });

/** A text from outside, made safe to show: quoted, one line, at most 80 characters. */
export const quoted = (text: string): string => {
  if (text.length <= 80 && !/[^ -~]/.test(text)) return `“${text}”`;
  const plain = Array.from(text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "·"));
  return `“${plain.length > 80 ? `${plain.slice(0, 79).join("")}…` : plain.join("")}”`;
};

/** A short form of an address, for a sentence. */
export const short = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;

/** An amount in whole units with its symbol if our tables have the token, otherwise in base units. */
export function showAmount(
  asset: Asset,
  units: bigint,
  { registry, proposal }: Pick<Facts, "registry" | "proposal">,
): string {
  const chain = proposal.chain.id;
  if (asset.kind === "nft") return `NFT ${asset.id?.toString() ?? ""} of ${short(asset.address)}`;
  if (asset.kind === "unsaid") return `${units.toString()} base units`;
  const known =
    asset.kind === "native"
      ? { symbol: registry.chain(chain)?.coin ?? "of the native token", decimals: 18 }
      : registry.token(chain, asset.address);
  if (known === null)
    return `${units.toString()} base units of ${short("address" in asset ? asset.address : "")}`;
  const digits = units.toString().padStart(known.decimals + 1, "0");
  const [whole, rest] = [
    digits.slice(0, -known.decimals || undefined),
    digits.slice(digits.length - known.decimals),
  ];
  const fraction = rest.replace(/0+$/, "");
  return `${whole}${fraction === "" ? "" : `.${fraction}`} ${known.symbol}`;
}

const evidenceOf = ({ outcome, asked, does, where }: Comparison) => ({
  kind: outcome,
  ref: where === null ? "words" : `${where.call} ${where.field}`,
  value: `asked: ${asked}; does: ${does}`,
});

const seenOf = (
  { asked, does, words, where, confidence, fix }: Comparison,
  all: readonly Comparison[],
): Seen => ({
  expected: asked,
  observed: does,
  words,
  where,
  confidence,
  fix,
  evidence: all.map(evidenceOf),
});

const worse = ["not_read", "differs", "cannot_tell"] as const;

/**
 * Turns the comparisons of one slot into a finding. A difference fails. A part that was not read, or that lacks evidence, is
 * neither a difference nor a pass.
 */
export function judge(comparisons: readonly Comparison[]): Finding {
  const wrong = comparisons.filter(({ outcome }) => outcome !== "same");
  for (const outcome of worse) {
    const worst = wrong.find((one) => one.outcome === outcome);
    if (worst !== undefined) return judgements[outcome](worst, seenOf(worst, wrong));
  }
  const weakest = [...comparisons].sort((a, b) => a.confidence - b.confidence)[0];
  if (weakest === undefined) return pass("The request says nothing about this.");
  return pass(`Matches the request: ${weakest.asked}.`, seenOf(weakest, comparisons));
}

const judgements = {
  differs: ({ asked, does }: Comparison, seen: Seen): Finding =>
    fail(`Asked for ${asked}. In the transaction: ${does}.`, seen),
  cannot_tell: ({ asked, does }: Comparison, seen: Seen): Finding =>
    skip("not_checked", `Asked for ${asked}. In the transaction: ${does}. This could not be checked.`, seen),
  not_read: (_: Comparison, seen: Seen): Finding =>
    skip("not_understood", "Part of the request was not understood, so this was not compared.", seen),
};

/** The address of a party who is neither the account itself nor the venue that holds for it. */
export const asAddress = (party: Party | null): Address | null =>
  party === null || party === "self" || party === "venue" ? null : party;

/** The faults of form that the reader of the request left for one check. */
export function judgeDefects(
  defects: readonly Defect[],
  { check, ok, fix }: { readonly check: Defect["check"]; readonly ok: string; readonly fix: string },
): Finding {
  const own = defects.filter((defect) => defect.check === check);
  const [first] = own;
  if (first === undefined) return pass(ok);
  return fail(`${first.at} is ${quoted(first.found)}; expected ${first.expected}.`, {
    expected: first.expected,
    observed: quoted(first.found),
    where: { call: first.at, field: first.at },
    evidence: own.map(({ at, found }) => ({ kind: "defect", ref: at, value: quoted(found) })),
    fix,
  });
}

/** Returns the fault of these parameters on that topic. One that decides comes before one that does not. */
export function faultOn(
  { act, terms }: Effect,
  topic: FaultTopic,
): { readonly said: string; readonly severity: Severity } | null {
  // The faults of an unreadable call belong to another check.
  const own = act === "opaque" ? [] : (terms.faults ?? []).filter((fault) => fault.topic === topic);
  const fault = own.find(({ mild }) => mild !== true) ?? own[0];
  return fault === undefined ? null : { said: fault.text, severity: fault.mild === true ? "medium" : "high" };
}

/** The first of these findings in any call. */
export function judgeEncoding(
  leaves: readonly Leaf[],
  {
    kinds,
    ok,
    fix,
  }: { readonly kinds: readonly EncodingFinding["kind"][]; readonly ok: string; readonly fix: string },
): Finding {
  for (const { where, encoding } of leaves) {
    const found = encoding.find(({ kind }) => kinds.includes(kind));
    if (found !== undefined)
      return fail(`The data of ${where} does not use the standard encoding: ${found.said}.`, {
        expected: "the standard encoding",
        observed: found.said,
        where: { call: where, field: "data", bytes: found.bytes },
        fix,
      });
  }
  return pass(ok);
}

/** A model reads well and is easily talked round: nothing that rests on it is surer than this. */
const modelConfidence = 0.8;

/** A model's answer as a finding. Its own text is only ever shown in quotes. */
export function judgeOpinion(opinion: Opinion): Finding {
  if (opinion.status === "SKIP") return skip(opinion.kind, opinion.reasoning);
  const { status, issues, quotes, why } = opinion;
  const seen: Seen = {
    confidence: modelConfidence,
    words: quotes[0] ?? null,
    evidence: issues.map((issue) => ({ kind: "model", ref: "issue", value: issue })),
  };
  if (status === "PASS") return pass("A language model sees no difference.", seen);
  return fail(`A language model objects: ${quoted(why)}.`, {
    ...seen,
    expected: "a request and effects that agree",
    observed: issues.length === 0 ? quoted(why) : issues.join(", "),
  });
}
