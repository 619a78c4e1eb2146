// The validator. Its words are kept as they came: the verdict is bound to the hash of the whole answer.
import { z } from "zod";
import { hashReport, type Hex } from "@countersign/wire";
import { ask, jsonOf, knock, Unavailable, type Answer } from "../http/index.ts";

/** What the validator is asked. Nothing of a payload goes in but the words and the call. */
export type ValidatorQuestion = {
  readonly human_intent: string;
  readonly proposed_tx: {
    readonly to: Hex;
    readonly value: string;
    readonly data: Hex;
    readonly chainId: number;
  };
  readonly metadata: {
    readonly from: Hex;
    readonly chain_id: number;
    /** Unix seconds. */
    readonly now: number;
    readonly recent_counterparties?: readonly Hex[];
  };
};

const Result = z.object({ status: z.enum(["PASS", "FAIL", "SKIP"]), confidence: z.number() });
const Issue = z.object({
  node: z.string(),
  title: z.string().default(""),
  reasoning: z.string().default(""),
});

/** The part of the answer that a decision is made of. */
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

export type Judgement =
  | {
      readonly kind: "judged";
      readonly report: Report;
      /** The whole answer, as it came. */
      readonly whole: unknown;
      readonly reportHash: Hex;
    }
  /** It says that the question itself is wrong. Asking again would not help. */
  | { readonly kind: "malformed"; readonly detail: string };

export type Validator = {
  /** Throws `Unavailable` while it cannot be asked, or answers what is no answer. */
  readonly judge: (question: ValidatorQuestion) => Promise<Judgement>;
  readonly probe: () => Promise<void>;
};

const whom = "the validator";
const maxBytes = 4 * 1024 * 1024;

export const makeValidator = ({ url, timeoutMs }: { url: string; timeoutMs: number }): Validator => ({
  judge: async (question) => {
    const answer = await ask({
      whom,
      url: `${url}/validate`,
      method: "POST",
      body: question,
      timeoutMs,
      maxBytes,
    });
    if (answer.status === 200) return readJudgement(answer);
    if (answer.status === 422) return { kind: "malformed", detail: readDetail(answer) };
    throw new Unavailable(`${whom} answered with status ${answer.status}`);
  },
  probe: () => knock(whom, `${url}/health`),
});

function readJudgement(answer: Answer): Judgement {
  const whole = jsonOf(answer);
  const report = Report.safeParse(whole);
  const reportHash = report.success ? tryToHash(whole) : undefined;
  if (!report.success || reportHash === undefined)
    throw new Unavailable(`${whom} answered with something else than a verdict`);
  return { kind: "judged", report: report.data, whole, reportHash };
}

/** Undefined for an answer whose text has no one written form, such as half a character. */
function tryToHash(whole: unknown): Hex | undefined {
  try {
    return hashReport(whole);
  } catch {
    return undefined;
  }
}

const Refusal = z.object({ detail: z.string() });
const readDetail = (answer: Answer): string => Refusal.safeParse(jsonOf(answer)).data?.detail ?? "";
