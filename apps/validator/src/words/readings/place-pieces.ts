/** Shows that the pieces of a proposal cover the text once, and finds the piece of each token. */
import type { Token } from "../core/tokens.ts";
import type { Piece, Reading } from "./reading.ts";
import { refuse, type Refused } from "./refused.ts";

export type PieceOf = (token: Token) => Piece;

export function placePieces(
  text: string,
  tokens: readonly Token[],
  reading: Reading,
): { readonly pieceOf: PieceOf } | Refused {
  const { pieces } = reading;
  const gap = findGap(text, reading);
  if (gap !== null) return gap;
  const placed = new Map<Token, Piece>();
  for (const token of tokens) {
    const piece = pieces.find((one) => one.start <= token.start && token.start < one.end);
    if (piece === undefined && isBlank(token)) continue;
    const why = piece === undefined ? "a part is left out" : whyMisplaced(piece, token);
    if (piece === undefined || why !== null) return refuse(why ?? "", token);
    placed.set(token, piece);
  }
  const empty = pieces.find((piece) => isLacking(piece, tokens));
  if (empty !== undefined) return refuse("a slot has no value", empty);
  const outside: Piece = { start: 0, end: 0, as: "story", step: null };
  return { pieceOf: (token) => placed.get(token) ?? outside };
}

/** Null if each character that is not blank has one piece, and each step has a piece. */
function findGap(text: string, { pieces, steps }: Reading): Refused | null {
  const isBlankFrom = (start: number, end: number): boolean => text.slice(start, end).trim() === "";
  let last = 0;
  for (const piece of pieces) {
    const { start, end, step } = piece;
    if (start < last || end <= start) return refuse("parts overlap", piece);
    if (!isBlankFrom(last, start)) return refuse("a part is left out", { start: last, end: start });
    if (step !== null && step >= steps.length) return refuse("a part belongs to no step", piece);
    last = end;
  }
  if (last > text.length || !isBlankFrom(last, text.length))
    return refuse("a part is left out", { start: last, end: text.length });
  const isEmpty = (_: unknown, index: number): boolean => !pieces.some(({ step }) => step === index);
  return steps.length === 0 || steps.some(isEmpty) ? refuse("a step has no words", null) : null;
}

function whyMisplaced(piece: Piece, token: Token): string | null {
  if (isHard(token) && token.end > piece.end) return "a value is split";
  return mayHold(piece, token) ? null : "a value is in a part of another kind";
}

/** The end of a line. */
const isBlank = ({ text }: Token): boolean => text.trim() === "";

/** Values that move money or say where. */
const HARD = new Set<Token["kind"]>(["money", "address", "chain", "venue", "rate", "asset"]);
const isHard = ({ kind }: Token): boolean => HARD.has(kind);

/** The token that each kind of slot must hold. */
const HELD: Readonly<Partial<Record<Piece["as"], Token["kind"]>>> = {
  amount: "money",
  least: "money",
  asset: "asset",
  recipient: "address",
  spender: "address",
  network: "chain",
  venue: "venue",
  fee: "rate",
};

/** Assets and places may be named in parts that ask for nothing: they are compared with the step's all the same. */
const NAMED = new Set<Token["kind"]>(["asset", "chain", "venue"]);
const NAMING = new Set<Piece["as"]>(["label", "purpose", "description", "remark"]);

function mayHold({ as }: Piece, { kind }: Token): boolean {
  if (!HARD.has(kind) || as === "restatement" || as === "story") return true;
  // "(USDC 5)", "the DAI amount": an amount may name its asset apart from its number.
  if (HELD[as] === kind || (kind === "asset" && (as === "amount" || as === "least"))) return true;
  return NAMING.has(as) && NAMED.has(kind);
}

const isLacking = ({ as, start, end }: Piece, tokens: readonly Token[]): boolean => {
  const kind = HELD[as];
  return (
    kind !== undefined &&
    !tokens.some((token) => token.kind === kind && start <= token.start && token.start < end)
  );
};
