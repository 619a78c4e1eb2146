/** Decides whether a published list may replace the one in place. Pure, so that every refusal can be tested. */
import {
  readPublished,
  secondsOf,
  type Fault,
  type List,
  type ListKey,
  type ListKind,
  type Published,
} from "../lists/index.ts";

export type Refusal =
  Fault["code"] | "wrong_kind" | "older" | "other_name" | "shrunk" | "unreadable_in_place";

export type Acceptance =
  | { readonly kind: "accepted"; readonly list: List }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly why: string };

type Given = {
  readonly listKind: ListKind;
  readonly now: bigint;
  /** Keys of which one must have signed it. None: signatures are not required. */
  readonly keys: readonly ListKey[];
  /** The list that it would replace, null if there is none. */
  readonly inPlace: List | Fault | null;
  /** The operator has looked at the list. */
  readonly force: boolean;
};

/** A list that loses more than half of its entries is more likely cut off than corrected. */
const leastShare = 0.5;

export function acceptList(published: Published, { listKind, now, keys, inPlace, force }: Given): Acceptance {
  const list = readPublished(published, { now, keys });
  if ("fault" in list) return refused(list.code, list.fault);
  if (list.kind !== undefined && list.kind !== listKind)
    return refused("wrong_kind", `the list is of the kind ${list.kind}, not ${listKind}`);
  if (inPlace === null) return { kind: "accepted", list };
  if ("fault" in inPlace)
    return force
      ? { kind: "accepted", list }
      : refused("unreadable_in_place", `the list in place cannot be compared: ${inPlace.fault}`);
  return compare(list, inPlace, force) ?? { kind: "accepted", list };
}

function compare(list: List, inPlace: List, force: boolean): Acceptance | null {
  if (secondsOf(list.asOf) < secondsOf(inPlace.asOf))
    return refused("older", `the list is of ${list.asOf}, older than the one in place of ${inPlace.asOf}`);
  if (force) return null;
  if (list.name !== inPlace.name)
    return refused("other_name", `the list is “${list.name}”, the one in place is “${inPlace.name}”`);
  const [now, before] = [list.notes.size, inPlace.notes.size];
  if (now < before * leastShare)
    return refused("shrunk", `the list has ${now} entries, the one in place has ${before}`);
  return null;
}

const refused = (refusal: Refusal, why: string): Acceptance => ({ kind: "refused", refusal, why });
