/**
 * Chooses the failure that is reported first. One wrong recipient makes four checks fail; the caller should read the one that
 * names it. Order: blocked parties, malformed input (the rest follows from it), then severity; among equals the order of this
 * table: named attacks, then the slot of the request that differs, then totals.
 */
import type { Severity } from "../node.ts";

const blocked = ["legal_compliance.sanctioned_address", "legal_compliance.sanctioned_protocol"];

/** Transaction, input or request are malformed; findings of other checks are consequences. */
const malformed = [
  "technical_invariants.payload_present",
  "technical_invariants.hex_encoding",
  "technical_invariants.value_encoding",
  "technical_invariants.address_format",
  "technical_invariants.typed_data_wellformed",
  "technical_invariants.abi_canonical",
  "technical_invariants.decoder_agreement",
  "technical_invariants.unroll_limits",
  // The request asks for nothing or cannot be read, so there is nothing to compare.
  "intent_alignment.intent_present",
  "intent_alignment.intent_parsable",
];

const story = [
  // Control of the account outweighs anything that a single transaction moves.
  "adversarial_detection.delegatecall_risk",
  "adversarial_detection.admin_takeover",
  "adversarial_detection.delegation_7702",
  "adversarial_detection.disguised_hash",
  // Deception with a known method.
  "adversarial_detection.scam_listed",
  "adversarial_detection.address_poisoning",
  "adversarial_detection.token_impersonation",
  "technical_invariants.protocol_address",
  "adversarial_detection.permit_phishing",
  "adversarial_detection.approve_then_drain",
  "adversarial_detection.unlimited_approval",
  // One slot of the request differs: place before party, party before asset, asset before amount.
  "intent_alignment.chain_match",
  "intent_alignment.dest_chain_match",
  "intent_alignment.action_match",
  "intent_alignment.direction_match",
  "intent_alignment.ens_contact_match",
  "intent_alignment.recipient_match",
  "intent_alignment.spender_match",
  "intent_alignment.asset_in_match",
  "intent_alignment.asset_out_match",
  "intent_alignment.amount_match",
  "adversarial_detection.unsolicited_metadata_party",
  "adversarial_detection.order_drain",
  // Of an unknown contract it says more than that its calldata cannot be read.
  "technical_invariants.effect_measured",
  "technical_invariants.decodability",
  // Totals: something was added, or something requested is missing.
  "adversarial_detection.hidden_call",
  "intent_alignment.effect_coverage",
  // High severity: named attacks, then slots, then formats.
  "adversarial_detection.unicode_hidden",
  "adversarial_detection.homoglyph",
  "adversarial_detection.prompt_injection",
  "intent_alignment.intent_unambiguous",
  "adversarial_detection.fee_siphon",
  "technical_invariants.trailing_data",
  "adversarial_detection.min_out_zero",
  "adversarial_detection.price_impact",
  // The simulation: deception first, then the cause of a failure before the failure itself.
  "adversarial_detection.simulation_evasion",
  "adversarial_detection.simulated_authority",
  "technical_invariants.engines_agree",
  "technical_invariants.funds_sufficient",
  "technical_invariants.simulation_result",
  "technical_invariants.simulated_arrival",
  "technical_invariants.recipient_usable",
  "adversarial_detection.executed_price",
  "adversarial_detection.sandwich_room",
  "intent_alignment.approval_scope_match",
  "intent_alignment.venue_match",
  "intent_alignment.usd_amount_match",
  "intent_alignment.percent_all_match",
  "intent_alignment.amount_out_match",
  "intent_alignment.slippage_match",
  "intent_alignment.limit_price_match",
  "intent_alignment.deadline_match",
  "intent_alignment.order_terms_match",
  "intent_alignment.gas_constraint_match",
  "intent_alignment.step_sequence",
  "intent_alignment.constraint_coverage",
];

const families = ["technical_invariants", "legal_compliance", "adversarial_detection", "intent_alignment"];
const severities: readonly Severity[] = ["critical", "high", "medium", "low"];

const rank = (list: readonly string[], id: string): number => {
  const at = list.indexOf(id);
  return at === -1 ? list.length : at;
};

const groupOf = (id: string): number => (blocked.includes(id) ? 0 : malformed.includes(id) ? 1 : 2);

const keyOf = (id: string, severity: Severity): readonly number[] => {
  const group = groupOf(id);
  if (group < 2) return [group, 0, rank(group === 0 ? blocked : malformed, id), 0];
  return [group, rank(severities, severity), rank(story, id), rank(families, id.slice(0, id.indexOf(".")))];
};

const compare = (a: readonly number[], b: readonly number[]): number => {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
};

/** Returns the failures in order of importance. The same findings always give the same order. */
export function byStory<T extends { readonly id: string }>(
  all: readonly T[],
  severityOf: (one: T) => Severity,
): readonly T[] {
  const keyed = all.map((one) => ({ one, key: keyOf(one.id, severityOf(one)) }));
  return keyed.sort((a, b) => compare(a.key, b.key) || (a.one.id < b.one.id ? -1 : 1)).map(({ one }) => one);
}
