// The committed record: how many mutants each area has, and which of them no test notices.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./run-stryker.ts";

export type Survivor = {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Why no test can or should notice it. Written by hand. */
  readonly reason?: string;
};

export type AreaRecord = {
  readonly mutants: number;
  readonly noticed: number;
  /** Sentences, which are not mutated. */
  readonly ignored: number;
  readonly survivors: readonly Survivor[];
};

const file = join(import.meta.dirname, "survivors.json");

export type Records = Readonly<Record<string, AreaRecord>>;
export const readRecords = (): Records => JSON.parse(readFileSync(file, "utf8")) as Records;
export const writeRecords = (records: Records): void => {
  writeFileSync(file, `${JSON.stringify(records, null, 2)}\n`);
};

/** Line numbers are left out, so that an edit above a survivor does not make it a new one. */
const keyOf = ({ file, from, to }: Survivor): string => JSON.stringify([file, from, to]);

const isSurvivor = ({ status }: Mutant): boolean => status === "Survived" || status === "NoCoverage";
const isNoticed = ({ status }: Mutant): boolean => status === "Killed" || status === "Timeout";

export function recordOf(mutants: readonly Mutant[], before: AreaRecord | undefined): AreaRecord {
  const reasons = new Map((before?.survivors ?? []).map((one) => [keyOf(one), one.reason]));
  const survivors = mutants.filter(isSurvivor).map(({ file, from, to }) => {
    const reason = reasons.get(keyOf({ file, from, to }));
    return { file, from, to, ...(reason === undefined ? {} : { reason }) };
  });
  const noticed = mutants.filter(isNoticed).length;
  const ignored = mutants.filter(({ status }) => status === "Ignored").length;
  return { mutants: noticed + survivors.length, noticed, ignored, survivors };
}

/** Survivors that the committed record does not know. */
export function newSurvivors(mutants: readonly Mutant[], record: AreaRecord | undefined): readonly Mutant[] {
  const known = new Set((record?.survivors ?? []).map(keyOf));
  return mutants.filter((mutant) => isSurvivor(mutant) && !known.has(keyOf(mutant)));
}
