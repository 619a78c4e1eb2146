// The validator's client. The answer is kept unchanged, because the verdict is bound to the hash of the whole answer.
import { z } from "zod";
import {
  hashReport,
  type AuthorizationList,
  type BatchCall,
  type Hex,
  type TypedData,
} from "@countersign/wire";
import { ask, jsonOf, knock, Unavailable, type Answer } from "../http/index.ts";

/** The request to the validator. Of a payload it contains only the intent and the call. */
export type ValidatorQuestion = {
  readonly human_intent: string;
  readonly proposed_tx:
    | { readonly to: Hex; readonly value: string; readonly data: Hex; readonly chainId: number }
    /** Typed data to be signed. */
    | { readonly order: TypedData; readonly chainId: number }
    /** A text to be signed with EIP-191. */
    | { readonly personal_message: string; readonly chainId: number }
    /** An EIP-7702 authorization to be signed. */
    | { readonly authorizationList: AuthorizationList; readonly chainId: number }
    /** A batch of calls. */
    | { readonly transactions: readonly BatchCall[]; readonly chainId: number };
  readonly metadata: {
    readonly from: Hex;
    readonly chain_id: number;
    /** Unix seconds. */
    readonly now: number;
    readonly recent_counterparties?: readonly Hex[];
    /** The proven state that the call reads. */
    readonly state?: object;
    /** The answer of a second engine about its execution. */
    readonly second_engine?: object;
  };
};

const Result = z.object({ status: z.enum(["PASS", "FAIL", "SKIP"]), confidence: z.number() });
const Issue = z.object({
  node: z.string(),
  title: z.string().default(""),
  reasoning: z.string().default(""),
});

/** The part of the answer that decides. */
const Report = z.object({
  decision: z.enum(["PASS", "REJECT"]),
  reason: z.string(),
  primary_failure_node: z.string().nullable(),
  results: z.record(z.string(), Result),
  assessment: z.object({
    kind: z.enum(["entailed", "contradicted", "not_understood", "not_checked"]),
  }),
  explanation: z
    .object({
      key_issues: z.array(Issue).catch([]),
      confidence_summary: z.object({ overall: z.number().optional().catch(undefined) }).catch({}),
    })
    .nullable()
    .catch(null),
});
export type Report = z.output<typeof Report>;

export type ValidatorAnswer =
  | {
      readonly kind: "checked";
      readonly report: Report;
      /** The whole answer, unchanged. */
      readonly whole: unknown;
      readonly reportHash: Hex;
    }
  /** The request itself is malformed, so a retry would not help. */
  | { readonly kind: "malformed"; readonly detail: string };

export type Validator = {
  /** Throws `Unavailable` while it does not answer, or not with a verdict. */
  readonly check: (question: ValidatorQuestion) => Promise<ValidatorAnswer>;
  readonly probe: () => Promise<void>;
};

const whom = "the validator";
const maxBytes = 4 * 1024 * 1024;

export const makeValidator = ({ url, timeoutMs }: { url: string; timeoutMs: number }): Validator => ({
  check: async (question) => {
    const answer = await ask({
      whom,
      route: "/validate",
      url: `${url}/validate`,
      method: "POST",
      body: question,
      timeoutMs,
      maxBytes,
    });
    if (answer.status === 200) return readCheck(answer);
    if (answer.status === 422) return { kind: "malformed", detail: readDetail(answer) };
    throw new Unavailable(`${whom} answered with status ${answer.status}`);
  },
  probe: () => knock(whom, `${url}/health`),
});

function readCheck(answer: Answer): ValidatorAnswer {
  const whole = jsonOf(answer);
  const report = Report.safeParse(whole);
  const reportHash = report.success ? tryToHash(whole) : undefined;
  if (!report.success || reportHash === undefined)
    throw new Unavailable(`${whom} did not answer with a verdict`);
  return { kind: "checked", report: report.data, whole, reportHash };
}

/** Undefined for an answer without a canonical text, such as one with a lone surrogate. */
function tryToHash(whole: unknown): Hex | undefined {
  try {
    return hashReport(whole);
  } catch {
    return undefined;
  }
}

const Refusal = z.object({ detail: z.string() });
const readDetail = (answer: Answer): string => Refusal.safeParse(jsonOf(answer)).data?.detail ?? "";
