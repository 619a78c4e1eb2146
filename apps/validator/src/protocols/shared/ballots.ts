/**
 * The content of a vote: the governor, the proposal and the direction. No funds move, and all of it must match the
 * request.
 */
import type { Hex } from "../../proposal.ts";
import type { CallView, Draft } from "../../protocol.ts";
import { code, controlled } from "./admin-drafts.ts";

const directions = ["against", "for", "abstain"] as const;

/** Governors number the directions; older ones take yes or no. */
const directionOf = (support: bigint | number | boolean): string => {
  const number = typeof support === "boolean" ? Number(support) : Number(support);
  const found = directions[number];
  if (found === undefined) throw new Error(`${number} is not a known direction of a vote`);
  return found;
};

type Ballot = {
  readonly proposal: bigint;
  readonly support: bigint | number | boolean;
  /** How the votes are split, if a governor allows it. */
  readonly params?: Hex;
};

export const vote = ({ proposal, support, params = "0x" }: Ballot, call: CallView, prefix = ""): Draft => ({
  act: "vote",
  choices: [
    controlled(call.to),
    { what: "proposal", value: proposal, at: `${prefix}proposalId` },
    { what: "vote", value: directionOf(support), at: `${prefix}support` },
    ...code(params, `${prefix}params`),
  ],
  places: { proposal: `${prefix}proposalId`, choice: `${prefix}support` },
});
