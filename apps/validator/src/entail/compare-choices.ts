/** Compares the choices of a contract's caller: each must be in our tables or in the request, or it is not trusted. */
import { choiceKinds } from "../choices.ts";
import type { Choice, Effect } from "../effects.ts";
import type { Comparison } from "../entailment.ts";
import { findStated } from "./stated.ts";
import { cannotTell, differs, same, type World } from "./world.ts";

const longest = 66;
const shown = (value: string): string => (value.length > longest ? `${value.slice(0, longest - 1)}…` : value);

export const compareChoices = (effects: readonly Effect[], world: World): readonly Comparison[] =>
  effects.flatMap((effect) =>
    effect.act === "opaque" ? [] : effect.choices.map((choice) => compareChoice(choice, world)),
  );

function compareChoice(choice: Choice, world: World): Comparison {
  const { what, value, known, where } = choice;
  const { noun, otherwise } = choiceKinds[what];
  const does = `${noun} ${shown(value)}`;
  const found = { slot: "choice" as const, does, where, confidence: 1 };
  const asKnown = { ...found, asked: `a known ${noun}`, words: null };
  // A known address stays known. A safe default still differs if the request names another value.
  if (known && value.startsWith("0x")) return same(asKnown);
  const said = findStated(choice, world);
  if (known && said.kind === "none") return same(asKnown);
  if (said.kind === "same") return same({ ...found, asked: `${noun} ${shown(value)}`, words: said.span });
  if (said.kind === "other")
    return differs({ ...found, asked: said.text, words: said.span, fix: `Use “${said.text}”, as asked.` });
  const open = {
    ...found,
    asked: `a ${noun} that you named or that is known`,
    words: null,
    fix: `Name the ${noun} in the request, or use one that is known.`,
  };
  return otherwise === "differs" ? differs(open) : cannotTell(open);
}
