/** Compares the choices of a contract's caller: each must be in our tables or in the request, or it is not trusted. */
import { choiceKinds } from "../choices.ts";
import type { Choice, Effect } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import type { Span } from "../intent.ts";
import { findStated } from "./stated.ts";
import { cannotTell, differs, same, type World } from "./world.ts";

const longest = 66;
const shown = (value: string): string => (value.length > longest ? `${value.slice(0, longest - 1)}…` : value);

export const compareChoices = (effects: readonly Effect[], world: World): readonly Comparison[] =>
  effects.flatMap((effect) =>
    effect.act === "opaque" ? [] : effect.choices.map((choice) => compareChoice(choice, world)),
  );

/** A Safe that names the sender as its owner on the proven state, and executes what it is asked to there. */
function isProven({ what, value }: Choice, { simulation }: World): boolean {
  if (what !== "account" || simulation === undefined) return false;
  const { account, sender, reverted, diverged } = simulation;
  return account === value && account !== sender && reverted === null && diverged === null;
}

const safeMentioned =
  /(?<!\p{L})(?:from|through|via|with|using|by)\s+(?:(?:my|our|the|this)\s+)?(?:\p{L}+\s+)?(?:safe|multi-?sig)(?!\p{L})/iu;

/** Whose money is spent must be asked for. The state only shows which Safe it is. "Not from my Safe" asks for the opposite. */
function spanOfSafe({ proposal, intent }: World): Span | null {
  const found = safeMentioned.exec(proposal.words);
  if (found === null) return null;
  const [from, to] = [found.index, found.index + found[0].length];
  return intent.negations.some(({ span }) => span[0] < to && from < span[1]) ? null : [from, to];
}

function compareChoice(choice: Choice, world: World): Comparison {
  const { what, value, known, where } = choice;
  const { noun, otherwise } = choiceKinds[what];
  const does = `${noun} ${shown(value)}`;
  const found = { slot: "choice" as const, does, where, confidence: 1 };
  const asKnown = { ...found, asked: `a known ${noun}`, words: null };
  // A known address stays known. A safe default still differs if the request names another value.
  if (known && /^0x[0-9a-f]+$/.test(value)) return same(asKnown);
  const said = findStated(choice, world);
  if (known && said.kind === "none") return same(asKnown);
  if (said.kind === "same") return same({ ...found, asked: `${noun} ${shown(value)}`, words: said.span });
  if (said.kind === "other")
    return differs({ ...found, asked: said.text, words: said.span, fix: `Use “${said.text}”, as asked.` });
  const span = isProven(choice, world) ? spanOfSafe(world) : null;
  if (span !== null)
    return same({ ...found, asked: `your ${noun}, which the state of the chain shows`, words: span });
  const open = {
    ...found,
    asked: `a ${noun} that you named or that is known`,
    words: null,
    fix: `Name the ${noun} in the request, or use one that is known.`,
  };
  return otherwise === "differs" ? differs(open) : cannotTell(open);
}
