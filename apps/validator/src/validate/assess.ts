/**
 * Compares request and transaction with one of four results. It uses the comparison only; other checks may still
 * object.
 */
import type { Assessment, AssessmentKind, Missing, Unread } from "../assessment.ts";
import { restate, type RestateGround } from "../canonical/restate.ts";
import { findObjection, type Comparison, type Entailment, type Facts, type Reading } from "../facts.ts";

type Known = Pick<
  Partial<Facts>,
  "entailment" | "intent" | "reading" | "proposal" | "registry" | "state" | "engines" | "byEffect"
>;

/** A part of the engine failed, so nothing is confirmed. */
const unreadable: Assessment = {
  kind: "not_checked",
  unread: [],
  missing: [{ what: "reading", why: "The request or the transaction could not be read." }],
  restated: "",
};

export function assess(
  { entailment, intent, reading, proposal, registry, state, engines, byEffect }: Known,
  protocols: RestateGround["protocols"],
): Assessment {
  if (entailment === undefined || intent === undefined || reading === undefined) return unreadable;
  if (proposal === undefined || registry === undefined) return unreadable;
  const whole = { span: [0, proposal.words.length] as const, text: proposal.words };
  const unread: readonly Unread[] = [
    ...(intent.notARequest === null ? [] : [{ ...whole, why: intent.notARequest }]),
    ...(intent.notARequest === null && intent.steps.length === 0
      ? [{ ...whole, why: "it names no known action" }]
      : []),
    ...entailment.unread.map(({ span, text, why }) => ({ span, text, why })),
    ...entailment.ambiguous.map(({ span, readings }) => ({
      span,
      text: proposal.words.slice(span[0], span[1]),
      why: `it can mean ${readings.join(", or ")}`,
    })),
  ];
  const missing = [
    ...missingIn(entailment),
    ...unreadCalls(reading),
    ...refusedState(state),
    ...objectingEngines(engines),
  ];
  const restated = unread.length > 0 ? "" : restate(intent, { registry, protocols });
  return { kind: kindOf(entailment, unread, missing), unread, missing, restated, ...markOf(byEffect) };
}

function markOf(byEffect: Facts["byEffect"] | undefined): Pick<Assessment, "by_effect"> {
  if (byEffect?.status !== "matches") return {};
  const { number, hash } = byEffect.block;
  return { by_effect: { contract: byEffect.contract, block: { number: number.toString(), hash } } };
}

/** Calls with an unknown meaning. */
const unreadCalls = ({ effects, limit }: Reading): readonly Missing[] => [
  ...effects
    .filter(({ act }) => act === "opaque")
    .map(({ where, terms }) => ({
      what: "call",
      why: `We could not read ${where.call}: ${terms.faults?.[0]?.text ?? "we do not know what this call does"}.`,
    })),
  ...(limit === null ? [] : [{ what: "call", why: `Only part of the transaction was read: ${limit}.` }]),
];

/** A state that was sent counts. One that shows nothing leaves the verdict open. */
const refusedState = (state: Facts["state"] | undefined): readonly Missing[] =>
  state?.status === "refused" ? [{ what: "state", why: state.why }] : [];

/** Two engines that differ cannot both be right. */
function objectingEngines(engines: Facts["engines"] | undefined): readonly Missing[] {
  const why = engines === undefined ? null : findObjection(engines);
  return why === null ? [] : [{ what: "second_engine", why }];
}

const missingIn = ({ comparisons }: Entailment): readonly Missing[] =>
  comparisons.filter(({ outcome }) => outcome === "cannot_tell").map(missingOf);

const missingOf = ({ slot, asked, does, fix }: Comparison): Missing => ({
  what: slot,
  why:
    slot === "choice"
      ? `The transaction relies on ${does}, which the request does not name and which is not in our tables. ${fix}`
      : `Asked for ${asked}. In the transaction: ${does}. ${fix}`.trim(),
});

function kindOf(
  { comparisons, unlicensed, unmet }: Entailment,
  unread: readonly Unread[],
  missing: readonly Missing[],
): AssessmentKind {
  if (unread.length > 0) return "not_understood";
  const differs = comparisons.some(({ outcome }) => outcome === "differs");
  if (differs || unlicensed.length > 0 || unmet.length > 0) return "contradicted";
  return missing.length > 0 ? "not_checked" : "entailed";
}
