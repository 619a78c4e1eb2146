/** Values with every field empty, for builders that set what their tests are about. */
import type { Effect } from "../src/effects.ts";
import type { Context, Proposal } from "../src/proposal.ts";

const blankContext: Context = {
  known: [],
  counterparties: [],
  accounts: [],
  balances: null,
  prices: null,
  tokens: [],
  names: new Map(),
  jurisdiction: null,
  texts: [],
};

/** A request without text and transaction, on Ethereum. */
export const blankProposal: Omit<Proposal, "now"> = {
  words: "",
  calls: [],
  typedData: null,
  message: null,
  authorizations: [],
  chain: { id: 1, assumed: false },
  actor: null,
  gas: { limit: null, price: null, maxFee: null, priorityFee: null },
  protocolHint: null,
  context: blankContext,
  defects: [],
};

/** A transfer of nothing by the owner. */
export const blankEffect: Omit<Effect, "where"> = {
  act: "transfer",
  gives: [],
  gets: [],
  payer: "self",
  receiver: null,
  authority: null,
  fees: [],
  venue: null,
  protocol: "erc20",
  toChain: null,
  deadline: null,
  terms: {},
  admin: null,
  choices: [],
  knowledge: "standard",
  target: null,
  function: "transfer",
  places: {},
};
