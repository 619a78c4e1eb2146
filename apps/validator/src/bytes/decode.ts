/**
 * Decodes arguments and never relies on one decoder. Our strict reader also knows the places of values. Its result
 * is encoded again by code that shares nothing with it, and must reproduce the same bytes: then an encoder wrote
 * these values, and no correct decoder can read others. In every doubtful case (an odd encoding, different bytes,
 * nothing readable) viem decodes the bytes too, and the two must agree.
 */
import type { AbiParameter } from "abitype";
import { decodeAbiParameters, parseAbiParameters } from "viem/utils";
import type { EncodingFinding } from "../effects.ts";
import type { Hex } from "../proposal.ts";
import { readAbi, type Decoded } from "./abi-reader.ts";
import { membersOf, type Member } from "./abi-shape.ts";
import { writeAbi } from "./abi-writer.ts";
import { judgeTrailer } from "./trailer.ts";

export type Plan = { readonly inputs: readonly AbiParameter[]; readonly members: readonly Member[] };

export const planFor = (inputs: readonly AbiParameter[]): Plan => ({ inputs, members: membersOf(inputs) });

const agrees = (ours: unknown, theirs: unknown): boolean => {
  if (typeof ours === "string" && typeof theirs === "string") return sameText(ours, theirs);
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    return ours.length === theirs.length && ours.every((item, i) => agrees(item, theirs[i]));
  }
  if (typeof ours === "object" && ours !== null && typeof theirs === "object" && theirs !== null) {
    return Object.entries(ours).every(([key, item]) =>
      agrees(item, (theirs as Record<string, unknown>)[key]),
    );
  }
  return ours === theirs;
};

/** Text moves no funds, and decoders differ on odd text (leading zeros, byte order marks) without either being wrong. */
const sameText = (ours: string, theirs: string): boolean =>
  !ours.startsWith("0x") || ours === theirs || ours === theirs.toLowerCase() || !theirs.startsWith("0x");

const disagreement = (bytes: readonly [number, number], said: string): EncodingFinding => ({
  kind: "decoders_disagree",
  bytes,
  said,
});

const comesBack = (plan: Plan, data: Hex, base: number, { values, findings, end }: Decoded): boolean =>
  values !== null &&
  findings.length === 0 &&
  writeAbi(plan.members, values) === data.slice(2 + base * 2, 2 + end * 2);

const compare = (plan: Plan, data: Hex, base: number, ours: Decoded): EncodingFinding | null => {
  if (plan.inputs.length === 0 || comesBack(plan, data, base, ours)) return null;
  const bytes = [base, ours.end] as const;
  try {
    const theirs = decodeAbiParameters<readonly AbiParameter[]>(plan.inputs, `0x${data.slice(2 + base * 2)}`);
    if (ours.values === null)
      return disagreement(bytes, "a second decoder reads bytes that the first cannot");
    return agrees(ours.values, theirs) ? null : disagreement(bytes, "two decoders read different arguments");
  } catch {
    // A failure of the second decoder alone matters only if our reader found nothing wrong.
    if (ours.values === null || ours.findings.length > 0) return null;
    return disagreement(bytes, "a second decoder cannot read these bytes");
  }
};

/** Decodes the arguments after the first `base` bytes of `data`, with every finding about their encoding and the trailer. */
export const decode = (plan: Plan, data: Hex, base: number): Decoded => {
  const ours = readAbi(plan.members, data, base);
  const second = compare(plan, data, base, ours);
  const trailer = ours.values === null ? null : judgeTrailer(data, ours.end);
  if (second === null && trailer === null) return ours;
  const more = [second, trailer].filter((finding) => finding !== null);
  return { ...ours, findings: [...ours.findings, ...more] };
};

const plans = new Map<string, Plan>();

/**
 * For protocol files: decodes arguments that are encoded inside an argument (`"address recipient, uint256 amount"`).
 * Throws on anything that an encoder would not write, which deliberately makes the call unreadable.
 */
export function decodeBlob(parameters: string, data: Hex): readonly unknown[] {
  let plan = plans.get(parameters);
  if (plan === undefined) {
    plan = planFor(parseAbiParameters<string>(parameters));
    plans.set(parameters, plan);
  }
  const { values, findings } = decode(plan, data, 0);
  const [first] = findings;
  if (values === null || first !== undefined) throw new Error(first?.said ?? "cannot be read");
  return values;
}
