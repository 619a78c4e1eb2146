/** Damages a transaction in one or a few places. */
import type { Json } from "./corpus.ts";
import { junkValue } from "./fuzz-texts.ts";
import type { Random } from "./random.ts";

type Change = (random: Random, digits: string) => string;

const flipBit: Change = (random, digits) => {
  const at = random.int(digits.length);
  const flipped = parseInt(digits[at] ?? "0", 16) ^ (1 << random.int(4));
  return digits.slice(0, at) + flipped.toString(16) + digits.slice(at + 1);
};
const truncate: Change = (random, digits) => digits.slice(0, random.int(digits.length + 1));
const append: Change = (random, digits) => digits + random.hex(random.int(100) + 1);
/** Replaces whole words by numbers that could be offsets, lengths or small amounts. */
const replaceWord: Change = (random, digits) => {
  const words = Math.floor((digits.length - 8) / 64);
  if (words < 1) return append(random, digits);
  const at = 8 + 64 * random.int(words);
  const word = random.pick([
    () => (32 * random.int(40)).toString(16).padStart(64, "0"),
    () => "f".repeat(64),
    () => "0".repeat(64),
    () => random.hex(20).padStart(64, "0"),
    () => random.hex(32),
  ])();
  return digits.slice(0, at) + word + digits.slice(at + 64);
};
const copyWord: Change = (random, digits) => {
  const words = Math.floor((digits.length - 8) / 64);
  if (words < 2) return flipBit(random, digits);
  const from = 8 + 64 * random.int(words);
  const to = 8 + 64 * random.int(words);
  return digits.slice(0, to) + digits.slice(from, from + 64) + digits.slice(to + 64);
};
const insert: Change = (random, digits) => {
  const at = 2 * random.int(digits.length / 2 + 1);
  return digits.slice(0, at) + random.hex(random.chance(0.5) ? 32 : random.int(8)) + digits.slice(at);
};
const notHex: Change = (random, digits) =>
  random.pick([`${digits}f`, `${digits}zz`, ` ${digits}`, digits.toUpperCase(), `0x${digits}`]);

const changes: readonly Change[] = [
  flipBit,
  flipBit,
  flipBit,
  truncate,
  append,
  replaceWord,
  replaceWord,
  copyWord,
  insert,
  notHex,
];

/** Hex digits after `0x`, changed once to three times. */
export function mutateHex(random: Random, hex: string): string {
  let digits = hex.slice(2);
  for (let times = random.int(3) + 1; times > 0; times -= 1)
    digits = digits === "" ? random.hex(random.int(40)) : random.pick(changes)(random, digits);
  return `0x${digits}`;
}

const mutateDigits = (random: Random, text: string): string => {
  const at = random.int(text.length);
  return random.pick([
    () => text.slice(0, at) + String(random.int(10)) + text.slice(at + 1),
    () => `${text}0`,
    () => text.slice(0, -1),
    () => `-${text}`,
    () => `0x${random.hex(33)}`,
    () => String(random.int(1000)),
  ])();
};

/** Changes one leaf of the JSON. */
export function mutateTransaction(random: Random, tx: Json): Json {
  return mutateMember(random, tx) as Json;
}

function mutateMember(random: Random, value: unknown): unknown {
  if (Array.isArray(value)) return mutateList(random, value);
  if (typeof value === "object" && value !== null) return mutateObject(random, value as Json);
  if (typeof value !== "string") return junkValue(random, 1);
  if (random.chance(0.03)) return junkValue(random, 2);
  if (value.startsWith("0x") && value.length > 2) return mutateHex(random, value);
  if (/^[0-9]+$/.test(value)) return mutateDigits(random, value);
  return junkValue(random, 0);
}

function mutateList(random: Random, list: readonly unknown[]): readonly unknown[] {
  if (list.length === 0) return [junkValue(random, 1)];
  const at = random.int(list.length);
  const rest = random.int(20);
  if (rest === 0) return list.toSpliced(at, 1);
  if (rest === 1) return [...list, list[at]];
  return list.with(at, mutateMember(random, list[at]));
}

function mutateObject(random: Random, object: Json): Json {
  const keys = Object.keys(object);
  if (keys.length === 0) return { to: junkValue(random, 0) };
  const key = random.pick(keys);
  if (!random.chance(0.03)) return { ...object, [key]: mutateMember(random, object[key]) };
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}
