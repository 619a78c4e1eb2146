/** Checks that the parts which a proposal gives to values are those that the act gives them. */
import type { Part } from "../core/parts.ts";
import type { Token } from "../core/tokens.ts";
import type { PieceOf } from "./place-pieces.ts";
import type { ProposedAct, SlotRole } from "./reading.ts";

/** The part of each value in the canonical sentence. A swap names what it gives before the least amount that it returns. */
function expectedOf(act: ProposedAct, token: Token, isFirstMoney: boolean): readonly SlotRole[] {
  if (token.kind === "money") return act === "swap" && !isFirstMoney ? ["least"] : ["amount"];
  if (token.kind === "address") return act === "approve" || act === "revoke" ? ["spender"] : ["recipient"];
  if (token.kind === "chain") return ["network"];
  if (token.kind === "venue") return ["venue"];
  return token.kind === "rate" ? ["fee"] : ["asset"];
}

/** The sentence begins with the act, and each of its values is in a part with the role that it has in the sentence. */
export function isLicensed(act: ProposedAct, sentence: readonly Part[], pieceOf: PieceOf): boolean {
  const tokens = sentence.flatMap(({ token }) => token ?? []);
  const money = tokens.find(({ kind }) => kind === "money");
  return (
    STARTS[act] === sentence[0]?.text.split(" ")[0] &&
    tokens.every((token) => {
      const { as } = pieceOf(token);
      return expectedOf(act, token, token === money).some((role) => role === as);
    })
  );
}

const STARTS: Readonly<Record<ProposedAct, string>> = {
  pay: "Send",
  approve: "Approve",
  revoke: "Revoke",
  wrap: "Wrap",
  unwrap: "Unwrap",
  swap: "Swap",
};
