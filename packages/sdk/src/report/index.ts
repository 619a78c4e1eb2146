// The public API of `@countersign/sdk/report`. It has no imports.
export { describeEffect, describeNet } from "./describe.ts";
export { codePointName, hiddenCharacter } from "./hidden-character.ts";
export { formatUnits, readBalances } from "./read-balances.ts";
export { placeInData } from "./read-calls.ts";
export { readReport, type ReadReportOptions } from "./read-report.ts";
export type {
  Assessment,
  Asset,
  AssetBalance,
  Authority,
  Balances,
  CallName,
  CallNode,
  Check,
  ControlChange,
  Effect,
  Flow,
  Issue,
  NetEffect,
  Outcome,
  Place,
  ReadReport,
  Span,
} from "./types.ts";
