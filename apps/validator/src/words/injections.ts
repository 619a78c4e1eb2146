/** Text addressed to the verifier, forged verdicts, and encoded runs. Only reported: nothing here is obeyed. */
import type { Intent, Span } from "../intent.ts";

type Finding = Intent["injections"][number];

const PATTERNS: readonly (readonly [string, RegExp])[] = [
  [
    "asks to ignore instructions",
    /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|all|any|your|the|these|those)\b[^.\n]{0,30}\b(?:instructions?|rules?|checks?|prompts?|policy|policies|constraints?|guidelines|validations?|warnings?|context)\b/gi,
  ],
  [
    "asks to skip verification",
    /\b(?:skip|disable|turn off|omit|suppress|do not (?:run|perform)|don't (?:run|perform))\b[^.\n]{0,30}\b(?:checks?|validations?|verifications?|validator|screening|safety|security|review)\b/gi,
  ],
  [
    "dictates the verdict",
    /\b(?:[Mm]ark|[Rr]eturn|[Rr]espond|[Aa]nswer|[Oo]utput|[Rr]eply|[Rr]eport|[Ss]et|[Ss]ay|[Cc]lassify|[Tt]reat|[Gg]ive|MARK|RETURN)\b[^.\n]{0,40}\b(?:PASS(?:ED)?|APPROVED|as valid|as safe|legitimate|pre-?approved)\b/g,
  ],
  ["dictates the verdict", /\b(?:always|automatically) (?:be )?(?:pass|approved?|accepted|return pass)\b/gi],
  [
    "addresses the verifier",
    /\b(?:[Vv]alidator|[Vv]erifier|[Aa]rbiter|[Cc]hecker|[Rr]eviewer|LLM|language model)\b[^.\n]{0,20}\b(?:must|should|shall|has to|is to|needs? to)\b/g,
  ],
  [
    "claims to be the system",
    /(?:^|\n|[<[{(])\s{0,4}(?:system|assistant|developer)\s{0,4}(?:[:\]>}]|prompt)/gi,
  ],
  [
    "role tags",
    /<\/?(?:system|assistant|user|instructions?|im_start|im_end|\|[a-z_]{1,20}\|)>|\[\/?INST\]|<\|[a-z_]{1,20}\|>|###\s?(?:system|instruction|assistant|user)/gi,
  ],
  [
    "a forged verdict",
    /["']?(?:decision|status|verdict|result|llm_calls|primary_failure_node)["']?\s{0,3}[:=]\s{0,3}["']?(?:PASS|APPROVED|REJECT|FAIL|SKIP|OK)\b/gi,
  ],
  [
    "claims special authority",
    /\b(?:you are now|act as|pretend to be|new instructions?|developer mode|jailbreak|dan mode|sudo mode|debug mode|maintenance mode|admin override|override code)\b/gi,
  ],
  [
    "claims prior approval",
    /\b(?:already|pre-?)\s?(?:been )?(?:verified|validated|audited|whitelisted|cleared|approved) by (?:the |our )?(?:security|compliance|admin|team|system|validator|user)\b/gi,
  ],
  [
    "claims an address was replaced",
    /\baddress (?:above|given|before|in the request)\b[^.\n]{0,20}\b(?:outdated|old|wrong|compromised|deprecated|invalid|replaced|expired)\b|\b(?:verified|validated|audited|whitelisted|cleared) by (?:the |our |your )?(?:wallet |wallet's )?(?:security|compliance|support|provider)\b/gi,
  ],
];

const ENCODED: readonly (readonly [string, RegExp])[] = [
  [
    "a long encoded run",
    /(?<![A-Za-z0-9+/=x])(?=[A-Za-z+/]{0,40}[0-9+/])(?=[a-zA-Z0-9+/]{0,40}[A-Z])(?=[A-Z0-9+/]{0,40}[a-z])[A-Za-z0-9+/]{28,}={0,2}(?![A-Za-z0-9+/])/g,
  ],
  ["a run of Morse", /(?:[.\-·−]{1,6}[ /|]{1,3}){7,}[.\-·−]{1,6}/g],
  ["Braille", /[\u2801-\u28ff]{4,}/g],
  ["hexadecimal text", /(?<![0-9a-fA-Fx])(?:[2-7][0-9a-fA-F][ ]?){24,}(?![0-9a-fA-F])/g],
];

const ROT13 = /\b(?:vtaber|flfgrz|genafsre|nccebir|cnff|inyvqngbe|vafgehpgvbaf)\b/gi;
const FINDINGS_MAX = 32;

const ALL = [...PATTERNS, ...ENCODED, ["rotated trigger words", ROT13] as const];

/** Most texts match nothing: `exec` on the one pattern, where `matchAll` would make a copy of it for every text. */
const addMatches = (out: Finding[], text: string, said: string, pattern: RegExp): void => {
  pattern.lastIndex = 0;
  let count = 0;
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const span: Span = [found.index, found.index + found[0].length];
    out.push({ said, span });
    count += 1;
    if (count >= FINDINGS_MAX) return;
  }
};

/** On the text a reader sees; spans are in that text. */
export const findInjections = (clean: string): Finding[] => {
  const found: Finding[] = [];
  for (const [said, pattern] of ALL) addMatches(found, clean, said, pattern);
  return found.sort((a, b) => a.span[0] - b.span[0]).slice(0, FINDINGS_MAX);
};
