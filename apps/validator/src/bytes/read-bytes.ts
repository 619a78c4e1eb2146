/** Reads everything a proposal would do: its calls, its typed data and its authorizations, added up. */
import type { Effect, Reading } from "../effects.ts";
import type { Address, Proposal } from "../proposal.ts";
import type { Protocols } from "../protocols/load-protocols.ts";
import type { Registry } from "../registry.ts";
import { netOf } from "./net.ts";
import { partiesOf } from "./parties.ts";
import { readAuthorization } from "./read-authorizations.ts";
import { readMessage } from "./read-message.ts";
import { readTypedData } from "./read-typed-data.ts";
import { opaque, readCall, type Run } from "./unroll.ts";
import type { Frame } from "./make-leaf.ts";

export type Knowledge = { readonly registry: Registry; readonly protocols: Protocols };

const outermost = (proposal: Proposal): Frame => ({
  where: "proposed_tx",
  depth: 0,
  sender: "self",
  delegatecall: false,
  program: false,
  account: null,
  base: 0,
  self: new Set<Address>(proposal.actor === null ? [] : [proposal.actor.toLowerCase() as Address]),
});

const readAll = (run: Run, proposal: Proposal): readonly Effect[] => {
  const frame = outermost(proposal);
  const { typedData } = proposal;
  const effects: Effect[] = proposal.authorizations.map(readAuthorization);
  for (const call of proposal.calls) {
    const to = call.to === null ? null : (call.to.toLowerCase() as Address);
    effects.push(...readCall(run, { ...frame, where: call.at }, { to, value: call.value, data: call.data }));
    if (run.limit !== null) break;
  }
  if (typedData !== null) effects.push(...readTypedData(run, frame, typedData));
  if (proposal.message !== null) effects.push(readMessage(proposal.message, proposal, run.registry));
  return effects;
};

/** An error here is a bug of ours. The result is then "not understood", and never "nothing happens". */
const unread = (said: string): Effect =>
  opaque(
    {
      where: "proposed_tx",
      nodes: [],
      prefix: "",
      target: null,
      sender: "self",
      isSelf: () => false,
      isOwnContract: () => false,
      protocol: "",
      function: "",
      venue: null,
      knowledge: "none",
    },
    0n,
    said,
  );

/** Never throws. */
export function readBytes(proposal: Proposal, knowledge: Knowledge): Reading {
  const run: Run = {
    ...knowledge,
    chain: proposal.chain.id,
    leaves: [],
    nodes: [],
    opened: [],
    owned: new Set([...(proposal.actor === null ? [] : [proposal.actor]), ...proposal.context.accounts]),
    accounts: new Set(),
    bytes: 0,
    limit: null,
  };
  try {
    const effects = readAll(run, proposal);
    const { leaves, limit } = run;
    return {
      leaves,
      effects,
      net: netOf(effects),
      limit,
      opened: run.opened,
      parties: partiesOf(proposal, run, effects, leaves),
      accounts: [...run.accounts],
    };
  } catch (error) {
    const said = error instanceof Error ? error.message : "the transaction data could not be read";
    const effects = [unread(said)];
    return { leaves: run.leaves, effects, net: netOf(effects), limit: said, parties: [] };
  }
}
