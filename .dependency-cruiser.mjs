// The architecture, as rules with reasons. `npm run check -- boundaries` runs them; tools/check/plants.system.test.ts
// plants a violation of each and sees it caught.
const slice = "^apps/api/src/(?!platform/|adapters/|composition/)([^/]+)/";
const test = "\\.test\\.ts$|^(apps|packages)/[^/]+/test/|^tools/(testing/|.*/testing\\.ts$)|^apps/web/e2e/";

/** A folder of the validator may import its own files and these of the others. `allowed`: patterns below src/. */
const validatorFolder = (name, folders, comment, allowed) => ({
  name,
  comment,
  from: { path: `^apps/validator/src/${folders}/`, pathNot: test },
  to: {
    path: "^apps/validator/src/",
    pathNot: [`^apps/validator/src/${folders}/`, ...allowed.map((one) => `^apps/validator/src/${one}`)],
  },
});

/** One rule for each row of the table in ARCHITECTURE.md, "Inside the validator". */
const insideTheValidator = [
  validatorFolder("request-only-parses", "request", "Parsing does not depend on what a request means.", [
    "(proposal|registry)\\.ts$",
  ]),
  validatorFolder(
    "bytes-know-no-request",
    "bytes",
    "Effects are read from the transaction alone. A reader that knew the request could see what it hopes for.",
    ["(choices|effects|proposal|protocol|registry|uses)\\.ts$", "protocols/load-protocols\\.ts$"],
  ),
  validatorFolder(
    "protocols-know-no-request",
    "protocols",
    "A description of a contract is the same for every request.",
    ["(choices|effects|proposal|protocol|registry|uses)\\.ts$", "bytes/(decode|openings)\\.ts$"],
  ),
  validatorFolder(
    "words-know-no-transaction",
    "(words|reading)",
    "The intent is read from the request alone. A reader that knew the transaction could choose the reading that fits it.",
    ["(budget|intent|proposal|registry)\\.ts$", "intent/"],
  ),
  validatorFolder(
    "entail-takes-consent-from-the-request",
    "entail",
    "The comparison knows an intent and effects, never the text, the calldata, a list or a model.",
    [
      "(budget|by-effect|choices|effects|entailment|evidence|facts|intent|proposal|registry|simulation|stated-limits)\\.ts$",
      // Adds up effects, read or measured.
      "bytes/net\\.ts$",
      "intent/",
    ],
  ),
  {
    name: "checks-stand-alone",
    comment: "A check is a pure function of facts: it imports no other check, no clock and no I/O.",
    from: { path: "^apps/validator/src/nodes/[^/]+/", pathNot: test },
    to: { pathNot: ["^apps/validator/src/(node|facts)\\.ts$", "^packages/wire/"] },
  },
  validatorFolder(
    "canonical-requests-are-only-written",
    "canonical",
    "The language of canonical requests is written here and read by the reader of requests, so that a round trip proves something.",
    ["(choices|effects|intent|proposal|registry)\\.ts$", "entail/show\\.ts$"],
  ),
  validatorFolder(
    "tables-come-from-files",
    "(registry|lists)",
    "A verdict can be repeated only if its tables are committed or configured, not fetched.",
    ["(contract-data|facts|proposal|registry)\\.ts$"],
  ),
  validatorFolder(
    "a-model-cannot-decide",
    "semantic",
    "A model's opinion reaches the decision as one fact among others. It can add a FAIL and never remove one.",
    [
      "(effects|facts|intent|registry)\\.ts$",
      "adapters/model/",
      "entail/show\\.ts$",
      "validate/semantic\\.ts$",
    ],
  ),
  validatorFolder(
    "a-proposer-proves-nothing",
    "proposals",
    "A model proposes a reading of the text. Whether it is used is decided by words/readings/check-reading.ts, which does not know where it comes from.",
    [
      "adapters/model/",
      "semantic/(clean-text|remember|throttle)\\.ts$",
      "validate/reader\\.ts$",
      "words/readings/(parse-proposal|reading)\\.ts$",
    ],
  ),
  {
    name: "the-kernel-sees-places-only",
    comment:
      "What checks a proposed reading reads values from the text. It does not see the answer that the reading was parsed from.",
    from: { path: "^apps/validator/src/words/(readings/(check|place)-[^/]+|core/.*)\\.ts$", pathNot: test },
    to: { path: "^apps/validator/src/words/readings/parse-proposal\\.ts$" },
  },
  validatorFolder(
    "the-flow-holds-no-rule",
    "validate",
    "The flow uses each part by its entry point. Rules about money are in entail/ and nodes/, and models in semantic/.",
    [
      "[^/]+\\.ts$",
      "bytes/(name-arguments|read-bytes)\\.ts$",
      "canonical/(describe|restate)\\.ts$",
      "entail/(acts|entail|simulated-return|worth|by-effect/entail-by-effect)\\.ts$",
      "(lists|registry|request)/index\\.ts$",
      "nodes/load-nodes\\.ts$",
      "reading/",
      "state/(index|state-worker)\\.ts$",
      "protocols/load-protocols\\.ts$",
      "words/(language|lexicon|read-words|readings/reading)\\.ts$",
    ],
  ),
  validatorFolder(
    "a-state-knows-no-intent",
    "state",
    "A simulation is a function of the state alone. It is then bound to the transaction, never to what the request hopes for.",
    ["(budget|effects|facts|proposal|simulation)\\.ts$", "request/index\\.ts$"],
  ),
];

export default {
  forbidden: [
    {
      name: "resolves",
      comment: "An import the tool cannot follow is an import no rule can check.",
      from: { pathNot: "^(bench|tools/validator-facts|examples/guard-agentkit)/" },
      to: { couldNotResolve: true },
    },
    {
      name: "the-bench-shares-no-code",
      comment:
        "What measures the validator must not agree with it by construction: they meet over HTTP only.",
      from: { path: "^bench/" },
      to: { path: "^(apps|packages)/" },
    },
    { name: "no-cycles", comment: "A cycle means two files are one file.", from: {}, to: { circular: true } },
    {
      name: "apps-are-islands",
      comment: "Apps run and are never imported; they meet on the wire.",
      from: { path: "^apps/([^/]+)/" },
      to: { path: "^apps/", pathNot: "^apps/$1/" },
    },
    {
      name: "packages-know-no-app",
      comment: "Packages are imported by apps, not the reverse.",
      from: { path: "^packages/", pathNot: "\\.system\\.test\\.ts$" },
      to: { path: "^(apps|tools|examples)/", pathNot: test },
    },
    {
      name: "evm-does-no-io",
      comment:
        "A replay is a function of its witness, in a service and in a browser: no Node module, no network client, no platform.",
      from: { path: "^packages/evm/src/", pathNot: test },
      to: {
        path: [
          "^(node:)?(fs|http|https|http2|net|tls|dgram|dns|crypto|os|process|child_process|worker_threads|timers)(/|$)",
          "node_modules/(undici|ws|ioredis|pg)/",
          "node_modules/viem/_(types|esm|cjs)/(index|clients|actions)",
          "^packages/(platform|sdk)/",
        ],
      },
    },
    {
      name: "products-know-no-tool",
      comment: "What is deployed does not lean on what builds it. Tests may.",
      from: { path: "^(apps|packages|contracts)/", pathNot: test },
      to: { path: "^(tools|examples)/" },
    },
    {
      name: "only-tests-use-test-builders",
      comment: "Harnesses in test/ take shortcuts that production code must not take.",
      from: { pathNot: `${test}|^tools/` },
      to: { path: "^(apps|packages)/[^/]+/test/" },
    },
    {
      name: "slices-meet-at-the-door",
      comment: "A slice is used through its index.ts.",
      from: { path: slice },
      to: { path: slice, pathNot: ["^apps/api/src/$1/", "/index\\.ts$"] },
    },
    {
      name: "ground-floor-knows-no-slice",
      comment: "platform/ and adapters/ hold no business word.",
      from: { path: "^apps/api/src/(platform|adapters)/" },
      to: { path: slice },
    },
    {
      name: "only-stores-touch-the-database",
      comment: "SQL lives in store.ts, where all of a slice's statements can be read together.",
      from: {
        path: "^apps/[^/]+/src/",
        pathNot: [
          // A folder where one file would not hold them.
          "/store(\\.ts$|/)",
          "^apps/api/src/(composition/[a-z]+|start|admin)\\.ts$",
          "^apps/api/src/platform/db/",
          test,
        ],
      },
      to: { path: ["^apps/api/src/platform/db/", "node_modules/(kysely|pg)/"] },
    },
    {
      name: "only-routes-know-http",
      comment: "The HTTP framework stops at routes.ts and authenticate.ts: the edge of a slice.",
      from: {
        path: "^apps/[^/]+/src/",
        pathNot: [
          "/(routes[^/]*|authenticate)\\.ts$",
          "^apps/[^/]+/src/(composition/[a-z-]+|app|app-[a-z]+|start|main)\\.ts$",
          test,
        ],
      },
      to: { path: ["node_modules/(fastify|@fastify/[^/]+)/", "^packages/platform/src/http/"] },
    },
    {
      name: "only-adapters-talk-to-the-network",
      comment:
        "The outside world is behind adapters/, a folder each, so that a test can put a stand-in there. To the command line and the pages the SDK is that.",
      from: {
        path: "^apps/(?!cli/)[^/]+/src/",
        pathNot: ["/adapters/", "^apps/web/src/(app|features|components|lib)/", test],
      },
      to: {
        path: [
          "node_modules/(undici|ioredis|@restatedev/[^/]+)/",
          "node_modules/viem/_(types|esm|cjs)/(index|clients|actions)",
          "^(node:)?(http|https|http2|net|tls|dgram|dns)(/|$)",
        ],
      },
    },
    {
      name: "platform-is-entered-by-its-doors",
      comment: "What a service may use of the platform is what its package exports.",
      from: { path: "^(apps|contracts|examples)/" },
      to: {
        path: "^packages/platform/src/",
        pathNot: ["/index\\.ts$", "^packages/platform/src/[^/]+\\.ts$"],
      },
    },
    {
      name: "features-stand-side-by-side",
      comment: "What two features of the pages need is in components/ or lib/.",
      from: { path: "^apps/web/src/features/([^/]+)/" },
      to: { path: "^apps/web/src/(features|app)/", pathNot: "^apps/web/src/features/$1/" },
    },
    {
      name: "components-know-no-feature",
      comment: "What every page is made of knows none of them.",
      from: { path: "^apps/web/src/(components|lib)/" },
      to: { path: "^apps/web/src/(features|app)/" },
    },
    {
      name: "pages-and-their-server-meet-on-the-wire",
      comment: "What runs in a browser and what serves it share no code.",
      from: { path: "^apps/web/src/(app|features|components|lib)/" },
      to: { path: "^apps/web/src/(server/|config\\.ts|main\\.ts)|^packages/platform/" },
    },
    ...insideTheValidator,
    {
      name: "no-development-dependency-in-production",
      comment:
        "What runs in production must be among the dependencies. The SDK's viem is its user's, and what else it uses is bundled; so are the pages.",
      from: {
        path: "^(apps|packages/(?!sdk/))",
        pathNot: ["^apps/web/(src/(app|features|components|lib)/|build/|vite\\.config\\.ts)", test],
      },
      to: { dependencyTypes: ["npm-dev"] },
    },
  ].map((rule) => ({ severity: "error", ...rule })),
  options: {
    tsConfig: { fileName: "tsconfig.json" },
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    // Only our own builds: packages that are installed have folders called dist, and rules about them.
    exclude: { path: "(^|/)(contracts/(out|cache)|\\.data)/|^(apps|packages)/[^/]+/dist/" },
    // Without these the tool does not follow workspace imports by package name, and the rules stay silent on them.
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      mainFields: ["main", "types"],
      extensions: [".ts", ".tsx", ".js", ".mjs", ".json"],
    },
  },
};
