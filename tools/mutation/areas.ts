// The decision path: code in which a small mistake approves or sends money without a request.
export type Area = {
  readonly name: string;
  /** Files that are mutated. */
  readonly sources: readonly string[];
  /** Test files (globs) that must notice. Tests that start a whole service are too slow to be run for every mutant. */
  readonly tests: readonly string[];
};

const within = (folder: string, ...files: readonly string[]): readonly string[] =>
  files.map((file) => `${folder}/${file}.ts`);

const api = "apps/api/src";
const transactions = `${api}/transactions`;
const validator = "apps/validator/src";

/** Part of the comparison of request and transaction. Each module has its own tests, which import little else. */
const entailArea = (name: string, ...modules: readonly string[]): Area => ({
  name: `entail-${name}`,
  sources: within(`${validator}/entail`, ...modules),
  tests: modules.map((module) => `${validator}/entail/${module}.test.ts`),
});

const amounts = entailArea(
  "amounts",
  ...["amounts", "compare-quantities", "compare-worth", "decimals", "proven", "worth"],
);

export const areas: readonly Area[] = [
  {
    name: "sign-in",
    sources: within(
      `${api}/sign-in`,
      ...["sign-in-policy", "siwe-message", "verify-sign-in", "signed-tokens", "tokens", "token-keys"],
    ),
    tests: [`${api}/sign-in/!(*.db).test.ts`],
  },
  {
    name: "keys",
    sources: within(
      `${api}/api-keys`,
      ...["authenticate", "is-owner-or-server", "key-format", "peppers", "remember-keys"],
    ),
    tests: [`${api}/api-keys/!(*.db).test.ts`],
  },
  {
    name: "oauth",
    sources: within(
      `${api}/oauth`,
      ...["check-tokens", "pkce", "redirect-uri", "resource", "answer-uri", "authenticate-client"],
    ),
    tests: [`${api}/oauth/{check-tokens,pkce,redirect-uri,resource,answer-uri,authenticate-client}.test.ts`],
  },
  {
    name: "lifecycle",
    sources: within(transactions, "lifecycle"),
    // Not lifecycle.test.ts, which walks through every state and takes seconds.
    tests: [`${transactions}/lifecycle-events.test.ts`],
  },
  {
    name: "decide",
    sources: within(transactions, "decide/decide", "decide/check-attestation", "record/request-hash"),
    tests: [`${transactions}/{decide/decide,decide/check-attestation,record/request-hash}.test.ts`],
  },
  {
    name: "execute",
    sources: within(
      `${transactions}/execute`,
      ...["begin-execution", "outcome", "read-completely", "read-verdict", "send"],
    ),
    tests: [`${transactions}/execute/!(*.db|*.system|*.soak).test.ts`],
  },
  {
    name: "watch",
    sources: within(`${transactions}/watch`, "find-start", "sightings", "watch-chain"),
    tests: [`${transactions}/watch/!(*.db|*.system|*.soak).test.ts`],
  },
  {
    name: "flows",
    sources: within(`${api}/platform/flows`, "store"),
    tests: [`${api}/platform/flows/*.db.test.ts`],
  },
  {
    name: "wire",
    sources: within("packages/wire/src", "attestation", "encode", "intent", "proposal", "verdict"),
    tests: ["packages/wire/src/*.test.ts"],
  },
  {
    name: "verdict",
    sources: [
      ...within(`${validator}/validate`, "3-decide", "assess"),
      ...within("apps/orion/src/verify", "decide", "verify-and-post"),
    ],
    tests: [
      `${validator}/validate/{3-decide,assess}*.test.ts`,
      "apps/orion/src/verify/{decide,verify-and-post,outcome,examine}.test.ts",
    ],
  },
  {
    ...amounts,
    sources: [...amounts.sources, `${validator}/intent/dollars.ts`],
  },
  entailArea("parties", "parties", "compare-parties", "compare-places"),
  entailArea("sequence", "flatten", "needs", "sequence"),
  entailArea("flows", "compare-flows", "coverage", "pair"),
  entailArea(
    "authority",
    ...["compare-action", "compare-admin", "compare-authority", "compare-choices", "compare-terms"],
  ),
  entailArea("assets", "acts", "assets"),
  entailArea("licences", "implied", "rename"),
  entailArea("choices", "stated"),
  entailArea("named", "admit", "named-values"),
  {
    name: "entail",
    sources: within(`${validator}/entail`, "entail", "world"),
    tests: [`${validator}/entail/{allowances,control,entail,evidence,outcome,readings}.test.ts`],
  },
  {
    name: "bytes",
    sources: within(`${validator}/bytes`, "abi-reader", "abi-shape", "parties"),
    tests: [`${validator}/bytes/{abi-*,parties*,read-bytes}.test.ts`],
  },
  {
    name: "guard",
    sources: [
      ...within("packages/sdk/src/guard", "check-approval", "guard-requests", "read-send", "send-approved"),
      ...within("packages/sdk/src/viem", "guard", "send-exactly"),
    ],
    tests: ["packages/sdk/src/{guard,viem}/!(*.system).test.ts"],
  },
  {
    name: "receipt",
    sources: within("packages/sdk/src/receipt", "fetch-trust", "read-proposal", "verify-receipt"),
    tests: ["packages/sdk/src/receipt/*.test.ts"],
  },
];
