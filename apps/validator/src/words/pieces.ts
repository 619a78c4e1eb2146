/** Several pieces handed to one party, each a step of its own: "Azuki #77 and #78 to 0x…" may be two calls. */
import type { AssetRef, Portion } from "../intent.ts";
import type { Draft } from "./drafts.ts";
import { toWhole } from "./numbers.ts";

type Piece = AssetRef & { readonly kind: "nft" };

const PIECES_MAX = 50;

const isPiece = (asset: AssetRef | null): asset is Piece => asset?.kind === "nft";

/** "two Azukis": how many there are, where that many are named. */
const isCount = ({ asset, quantity }: Portion, count: number): boolean =>
  asset === null && quantity?.kind === "exact" && toWhole(quantity.n) === BigInt(count);

/** One reference per number; a number without a collection is of the one named last. */
const piecesOf = (gives: readonly Portion[]): readonly Piece[] => {
  let collection: string | null = null;
  return gives.flatMap(({ asset, quantity }) => {
    if (!isPiece(asset) || quantity !== null) return [];
    collection = asset.collection ?? collection;
    return asset.ids.map((id) => ({ ...asset, collection, ids: [id] }));
  });
};

const split = (draft: Draft): readonly Draft[] | null => {
  const pieces = piecesOf(draft.gives);
  const whole = draft.gives.every(
    (portion) => (isPiece(portion.asset) && portion.quantity === null) || isCount(portion, pieces.length),
  );
  if (draft.acts[0] !== "transfer" || pieces.length < 2 || pieces.length > PIECES_MAX || !whole) return null;
  return pieces.map((asset) => ({ ...draft, gives: [{ asset, quantity: null }] }));
};

/** The same steps with one piece each; null if nothing is to be split. */
export const byPiece = (drafts: readonly Draft[]): readonly Draft[] | null => {
  const parts = drafts.map((draft) => split(draft));
  if (parts.every((part) => part === null)) return null;
  return drafts.flatMap((draft, at) => parts[at] ?? [draft]);
};
