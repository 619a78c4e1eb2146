// Real losses rebuilt as requests: what the signer believed, and what was signed. Sources: validator.md 6.5 and
// wants-and-incidents.md. None may PASS.
import type { BenchCase, Incident } from "../types.ts";
import { nodes } from "../attacks/define.ts";
import { MULTISIG_INCIDENTS } from "./incidents-multisig.ts";
import { SIGNATURE_INCIDENTS } from "./incidents-signature.ts";
import { TRANSFER_INCIDENTS } from "./incidents-transfer.ts";

export function incidentCases(): BenchCase[] {
  const all: Incident[] = [...MULTISIG_INCIDENTS, ...SIGNATURE_INCIDENTS, ...TRANSFER_INCIDENTS];
  return all.map((x) => ({
    id: `incident.${x.name}`,
    split: "incident",
    protocol: "incident",
    action: "incident",
    recipe: x.name,
    klass: "incident",
    lang: "en",
    expected: "REJECT",
    critical: true,
    nodes: nodes(x.nodes),
    request: x.request,
  }));
}
