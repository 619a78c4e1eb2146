/** Finds other parties that receive value, authority or control, in any leaf. */
import type { Effect, Party, Reading, Where } from "../effects.ts";
import type { Beneficiary } from "../facts.ts";
import type { Proposal } from "../proposal.ts";

type Found = { readonly party: Party | null; readonly role: Beneficiary["role"]; readonly where: Where };

const ofEffect = (effect: Effect): readonly Found[] => [
  ...(effect.act === "harmless" || effect.act === "revoke"
    ? []
    : [
        {
          party: effect.receiver,
          role: "receiver" as const,
          where: effect.places["receiver"] ?? effect.where,
        },
      ]),
  ...(effect.authority === null || effect.act === "revoke"
    ? []
    : [{ party: effect.authority.spender, role: "spender" as const, where: effect.authority.where }]),
  ...effect.fees.map(({ to, where }) => ({ party: to, role: "fee" as const, where })),
  ...(effect.admin === null
    ? []
    : [{ party: effect.admin.party, role: "admin" as const, where: effect.where }]),
];

export function findBeneficiaries(reading: Reading, { actor }: Proposal): readonly Beneficiary[] {
  const all = [
    ...reading.effects.flatMap((effect, index) =>
      ofEffect(effect).map((found) => ({ ...found, effect: index })),
    ),
    ...reading.net.others.map(({ party, where }) => ({ party, where, role: "other" as const, effect: null })),
  ];
  const seen = new Set<string>();
  return all.flatMap(({ party, role, where, effect }): Beneficiary[] => {
    if (party === null || party === "self" || party === "venue" || party === actor) return [];
    // The net effect names the same parties again.
    if (role === "other" && seen.has(party)) return [];
    seen.add(party);
    return [{ address: party, role, where, effect }];
  });
}
