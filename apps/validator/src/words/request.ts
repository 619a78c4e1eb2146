/** Whether a text asks for anything at all. */
import type { Step } from "../intent.ts";
import type { Item } from "./items.ts";
import { fold } from "./phrases.ts";

const ASKS =
  /^(?:should|what|whats|what's|how|why|who|when|where|which|is|are|does|did|do i|am i|should i|was|que|cual|cuanto|cuanta|como|por que|quel|quelle|combien|pourquoi|comment|wie|was|warum|wann|wer|quanto|qual|quanta)\b/;
const POLITE =
  /\b(?:can|could|would|will) (?:you|we|i)\b|\bplease\b|\bpodrias\b|\bpuedes\b|\bpode\b|\bpoderia\b|\bpeux-tu\b|\bpouvez\b|\bkannst\b|\bkonnten\b|能|可以|请/;
const ADVICE =
  /\b(?:should i|what happens|is it (?:safe|possible|ok)|how (?:do|can|would|much|many)|what(?:'s| is| are)|do you think|tell me|explain|what if|is there)\b/;
const ZH_QUESTION = /多少|什么|怎么|为什么|如何|吗[?？]?$/;

const isQuestion = (low: string): boolean => {
  const ends = low.trimEnd().endsWith("?");
  if (ADVICE.test(low) && (ends || ASKS.test(low))) return true;
  if (ZH_QUESTION.test(low) && !POLITE.test(low)) return true;
  return ASKS.test(low) && ends && !POLITE.test(low);
};

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * The actor, and the form of a verb in a report: "I already sent", "j'ai envoyé", "ya he enviado", "ich habe …
 * gesendet".
 */
const TELLS: readonly (readonly [who: string, past: RegExp])[] = [
  [
    "(?:i|we|he|she|they|you)(?:'ve|'d| have| has| had)?(?: already| just| recently)? ",
    /^(?:\p{L}+(?:pp|[^e])ed|sent|paid|bought|sold|gave|lent|withdrew)(?: |$)/u,
  ],
  ["(?:j'ai|nous avons|on a)(?: deja)? ", /e$|^(?:vendu|converti)$/],
  ["(?:ya )?(?:he|hemos) ", /[ai]do$/],
  ["(?:eu )?(?:ja )?", /ei$/],
  ["(?:ich habe|wir haben) .{0,100}?", /^(?:ge|uber|ver|trans)\p{L}+(?:t|en)$/u],
  ["已经?", /\p{Script=Han}/u],
];

const isPast = (low: string, word: string): boolean =>
  TELLS.some(
    ([who, past]) =>
      past.test(word) &&
      new RegExp(`(?:^|[^\\p{L}])(?:${who})${escaped(word)}(?!\\p{Script=Latin})`, "u").test(low),
  );

/** An act in the past is reported, not requested. */
const isTold = (low: string, steps: readonly Step[]): boolean =>
  steps.length > 0 && steps.every(({ verb }) => verb.word !== "" && isPast(low, fold(verb.word)));

/** The grammar finds no act. Another reading may. */
export const NAMES_NOTHING = "it names no action";

/** Why it is no request, or null. `low`: the folded text. */
export const whyNoRequest = (low: string, items: readonly Item[], steps: readonly Step[]): string | null => {
  if (low.trim() === "") return "it is empty";
  if (isQuestion(low.trim())) return "it is a question";
  if (isTold(low, steps)) return "it reports what was already done";
  if (steps.length > 0) return null;
  const words = items.filter((item) => item.k !== "punct" && item.k !== "stop" && item.k !== "line");
  if (words.length > 0 && words.every((item) => item.k === "noise" || item.k === "self" || item.k === "my"))
    return "it is a greeting";
  if (low.trim().endsWith("?")) return "it is a question";
  return NAMES_NOTHING;
};
