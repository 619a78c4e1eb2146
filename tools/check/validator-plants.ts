// A violation of each rule about the folders of the validator (ARCHITECTURE.md, "Inside the validator").
import { posix } from "node:path";

const src = "apps/validator/src";

type Plant = {
  readonly fault: string;
  readonly says: string;
  readonly files: Readonly<Record<string, string>>;
};

function plantImport(fault: string, rule: string, from: string, to: string): Plant {
  const path = posix.relative(posix.dirname(from), to);
  return {
    fault,
    says: `${rule}: ${src}/${from} → ${src}/${to}`,
    files: { [`${src}/${from}`]: `export * from "${path.startsWith(".") ? path : `./${path}`}";\n` },
  };
}

export const validatorPlants: readonly Plant[] = [
  plantImport(
    "request code that reads calldata",
    "request-only-parses",
    "request/nosy.ts",
    "bytes/read-bytes.ts",
  ),
  plantImport(
    "a calldata reader that knows the intent",
    "bytes-know-no-request",
    "bytes/nosy.ts",
    "intent.ts",
  ),
  plantImport(
    "a protocol that knows the intent",
    "protocols-know-no-request",
    "protocols/shared/nosy.ts",
    "intent.ts",
  ),
  plantImport(
    "a reader of requests that knows effects",
    "words-know-no-transaction",
    "words/nosy.ts",
    "effects.ts",
  ),
  plantImport(
    "a reader of requests that knows calldata",
    "words-know-no-transaction",
    "reading/nosy.ts",
    "bytes/read-bytes.ts",
  ),
  plantImport(
    "a comparison that reads the request itself",
    "entail-takes-consent-from-the-request",
    "entail/nosy.ts",
    "words/read-words.ts",
  ),
  plantImport(
    "a comparison that asks a model",
    "entail-takes-consent-from-the-request",
    "entail/trusting.ts",
    "semantic/index.ts",
  ),
  plantImport(
    "a check that imports another check",
    "checks-stand-alone",
    "nodes/legal_compliance/nosy.ts",
    "nodes/legal_compliance/sanctioned_address.ts",
  ),
  plantImport(
    "a writer of canonical requests that reads them",
    "canonical-requests-are-only-written",
    "canonical/nosy.ts",
    "words/read-words.ts",
  ),
  plantImport(
    "a token table from an adapter",
    "tables-come-from-files",
    "registry/nosy.ts",
    "adapters/model/index.ts",
  ),
  plantImport(
    "an operator list from an adapter",
    "tables-come-from-files",
    "lists/nosy.ts",
    "adapters/model/index.ts",
  ),
  plantImport(
    "a model that decides",
    "a-model-cannot-decide",
    "semantic/deciding.ts",
    "validate/3-decide.ts",
  ),
  plantImport(
    "a reader of requests that asks a model",
    "words-know-no-transaction",
    "words/readings/trusting.ts",
    "proposals/index.ts",
  ),
  plantImport(
    "a proposer that checks its own proposals",
    "a-proposer-proves-nothing",
    "proposals/deciding.ts",
    "words/readings/check-reading.ts",
  ),
  plantImport(
    "a kernel that sees a model's answer",
    "the-kernel-sees-places-only",
    "words/readings/check-answer.ts",
    "words/readings/parse-proposal.ts",
  ),
  plantImport(
    "a flow that compares amounts",
    "the-flow-holds-no-rule",
    "validate/comparing.ts",
    "entail/amounts.ts",
  ),
  plantImport("a simulation that knows the intent", "a-state-knows-no-intent", "state/nosy.ts", "intent.ts"),
  ...["timers", "https"].map((name) => ({
    fault: `a check that imports node:${name}`,
    says: `checks-stand-alone: ${src}/nodes/legal_compliance/${name}.ts → ${name}`,
    files: { [`${src}/nodes/legal_compliance/${name}.ts`]: `export * from "node:${name}";\n` },
  })),
];
