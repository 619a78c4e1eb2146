// Reports in the form a validator writes them, cut down to what a test looks at.
const skipped = (skip_kind: string) => ({
  status: "SKIP",
  confidence: 1,
  reasoning: "Nothing.",
  details: { severity: "low", skip_kind, remedy: "Send more." },
});

export const aReport = {
  decision: "REJECT",
  reason: "It goes to another address.",
  protocol: "native",
  results: {
    "intent_alignment.recipient_match": {
      status: "FAIL",
      confidence: 1,
      reasoning: "It goes to another address.",
      details: {
        ...{ severity: "critical", expected: "bob", observed: "mallory", fix: "Send it to bob." },
        where: { call: "proposed_tx", field: "to", bytes: [4, 36] },
        words: { from: 17, to: 20, text: "“bob”" },
      },
    },
    "intent_alignment.action_match": {
      ...{ status: "PASS", confidence: 0.9, reasoning: "As asked." },
      details: { severity: "critical", where: null, words: null, remedy: "Ask for it." },
    },
    "legal_compliance.scam_listed": skipped("stale_data"),
    "legal_compliance.jurisdiction_policy": { status: "SKIP", reasoning: "None was named." },
    "technical_invariants.fee_cap": skipped("not_applicable"),
  },
  extracted_elements: { tokens: [{ text: "Send" }, { text: "bob" }] },
  context: {
    chain: { id: 11_155_111, name: "Sepolia" },
    confidence: 1,
    not_checked: [{ node: "legal_compliance.jurisdiction_policy", why: "None was named." }],
    described: ["Send 1 ETH to mallory on Sepolia."],
    effects: [{ act: "transfer", gives: [{ kind: "native", symbol: "ETH", least: "1", most: "1" }] }],
    net_effect: null,
    limit: null,
  },
  explanation: {
    summary: "It goes to another address.",
    key_issues: [
      {
        ...{
          node: "intent_alignment.recipient_match",
          severity: "critical",
          title: "The recipient is right",
        },
        ...{ reasoning: "It goes to another address.", expected: "bob", actual: "mallory", words: null },
      },
    ],
  },
} as const;

const usdc = { kind: "token", symbol: "USDC", address: "0xusdc" };
const place = (call: string) => ({ call, field: "function", bytes: [0, 4] });

/** A Safe that runs two calls by MultiSend, with effects of every kind. */
export const safeReport = {
  decision: "PASS",
  reason: "As asked.",
  results: {},
  context: {
    effects: [
      {
        ...{ act: "transfer", payer: "self", receiver: "0xbob", where: place("proposed_tx/0/0") },
        gives: [{ ...usdc, least: "5", most: "5" }],
      },
      {
        ...{ act: "approve", payer: "self", receiver: null, where: place("proposed_tx/0/1") },
        authority: {
          spender: "0xmallory",
          asset: usdc,
          most: "unlimited",
          until: "1800000000",
          signed: false,
        },
      },
      { act: "opaque", target: "0xcode" },
      { act: "admin", admin: { kind: "add_owner", party: null } },
      {
        ...{ act: "swap", payer: "self", receiver: "self", venue: "uniswap_v3", knowledge: "selector" },
        gives: [{ kind: "native", symbol: "ETH", least: "0", most: "1" }],
        gets: [{ ...usdc, least: "100", most: "unlimited" }],
      },
    ],
    net_effect: {
      leaves: [{ ...usdc, most: "5", usd: "5.00" }],
      arrives: [{ ...usdc, least: "100" }],
      authority: [{ spender: "0xmallory", asset: usdc, most: "unlimited", until: null, signed: true }],
      others: [{ party: "0xbob", ...usdc, most: "5" }],
      admin: [{ kind: "add_owner", party: "0xmallory" }],
    },
    calls: [
      {
        ...{ call: "proposed_tx", to: "0xsafe", value: "0", function: "execTransaction", protocol: "safe" },
        ...{ known: true, delegatecall: false, data: [0, 600] },
        calls: [
          {
            ...{ call: "proposed_tx/0", to: "0xmultisend", value: "0", known: true, delegatecall: true },
            data: [100, 500],
            calls: [
              { call: "proposed_tx/0/0", to: "0xusdc", value: "0", known: true, data: [300, 368], calls: [] },
              { call: "proposed_tx/0/1", to: "0xusdc", value: "0", known: true, data: null, calls: [] },
            ],
          },
        ],
      },
    ],
  },
} as const;
