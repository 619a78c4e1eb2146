/** Attacks of an audit, one file for each group of protocols: a request, and a transaction that must not pass for it. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { AssessmentKind } from "../src/assessment.ts";
import { encodeCall } from "./protocols.ts";
import type { Verdict } from "../src/validate/validate.ts";

type PairCall = {
  readonly to: string;
  readonly value?: string;
  readonly data?: string;
  /** Instead of data: a signature and its arguments, as in a protocol's samples. */
  readonly function?: string;
  readonly args?: readonly unknown[];
};

export type AuditPair = {
  /** The class of attack, as in docs/attack-cases.md. */
  readonly class: string;
  readonly name: string;
  readonly intent: string;
  readonly chain?: number;
  readonly from?: string;
  readonly call?: PairCall;
  readonly calls?: readonly PairCall[];
  readonly order?: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Acceptable outcomes. `entailed` only for a control: an honest transaction for the same request. */
  readonly expect: readonly Outcome[];
};

/** `objected`: the transaction does what was asked, but a check of another family rejects it. */
export type Outcome = AssessmentKind | "objected";

export const outcomeOf = ({ decision, assessment }: Pick<Verdict, "decision" | "assessment">): Outcome =>
  decision === "REJECT" && assessment.kind === "entailed" ? "objected" : assessment.kind;

const ME = "0x1111111111111111111111111111111111111111";
const NOW = 1_790_000_000;

const encode = ({ to, value = "0", data = "0x", function: signature, args }: PairCall) => ({
  to,
  value,
  data: signature === undefined ? data : encodeCall(signature, args ?? []),
});

/** The body of `POST /validate`. */
export const requestOf = ({
  intent,
  chain = 1,
  from = ME,
  call,
  calls,
  order,
  metadata,
}: AuditPair): Readonly<Record<string, unknown>> => ({
  human_intent: intent,
  proposed_tx: {
    ...(call === undefined ? {} : encode(call)),
    ...(calls === undefined ? {} : { transactions: calls.map(encode) }),
    ...(order === undefined ? {} : { order }),
  },
  metadata: { from, chain_id: chain, now: NOW, ...metadata },
});

const folder = path.join(import.meta.dirname, "../src/audit");

export const auditFiles = (): readonly string[] =>
  readdirSync(folder).filter((name) => name.endsWith(".pairs.json"));

export const readPairs = (name: string): readonly AuditPair[] =>
  JSON.parse(readFileSync(path.join(folder, name), "utf8")) as readonly AuditPair[];
