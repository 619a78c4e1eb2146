// The main service's API for an ORION key: existing decisions, and where verdicts are posted.
import { z } from "zod";
import { readTraceparent, writeTraceparent } from "@countersign/platform/trace";
import { readAttestation, type Attestation, type Decision, type Hex } from "@countersign/wire";
import { ask, jsonOf, knock, Unavailable, type Answer } from "../http/index.ts";

/** The status of a request. `decided`: it has a verdict, and there is never a second one. */
export type Standing =
  | { readonly kind: "unknown" }
  | { readonly kind: "open"; /** The trace that it was proposed in. */ readonly traceparent?: string }
  | { readonly kind: "decided"; readonly attestations: readonly Attestation[] };

export type PostedVerdict = {
  readonly decision: Decision;
  readonly confidence: number;
  readonly analysis: string;
  readonly requestHash: Hex;
  readonly attestation: Attestation;
  readonly report?: unknown;
  /** The request that the report answers, gzipped, in base64. */
  readonly bundle?: string;
};

export type ExecutedCall = { readonly to: string; readonly data: string };

export type RecordClient = {
  readonly readStanding: (requestHash: Hex) => Promise<Standing>;
  /** "refused": it will not be accepted however often it is posted. The status says why. */
  readonly postVerdict: (verdict: PostedVerdict) => Promise<"posted" | "refused">;
  /** Calls that the account has executed, newest first, except encrypted ones. */
  readonly listExecuted: (escrow: Hex) => Promise<readonly ExecutedCall[]>;
  /** "refused": there is one already, or none is wanted. */
  readonly attachProof: (requestHash: Hex, proof: unknown) => Promise<"attached" | "refused">;
  readonly probe: () => Promise<void>;
};

type Options = {
  readonly url: string;
  readonly internalUrl: string;
  readonly key: string;
  readonly timeoutMs?: number;
};

const whom = "the main service";
const maxBytes = 8 * 1024 * 1024;
/** Enough to find fifty recipients in; the main service returns at most a thousand. */
const pageSize = 200;

const Status = z.object({ orion: z.array(z.object({ attestation: z.unknown().optional() })) });
const Transactions = z.array(
  z.object({ status: z.string(), tx: z.object({ to: z.string(), data: z.string() }).nullish() }),
);

/** A wrong key and a temporary failure are errors, not answers. */
function expectSense(answer: Answer): Answer {
  const { status } = answer;
  if (status === 401 || status === 403) throw new Unavailable(`${whom} refuses the ORION key`);
  if (status === 408 || status === 429 || status >= 500)
    throw new Unavailable(`${whom} answered with status ${status}`);
  return answer;
}

function parse<Schema extends z.ZodType>(schema: Schema, answer: Answer): z.output<Schema> {
  const parsed = schema.safeParse(jsonOf(answer));
  if (answer.status !== 200 || !parsed.success)
    throw new Unavailable(`${whom} answered with status ${answer.status} and not what was asked for`);
  return parsed.data;
}

function traceOf({ traceparent }: Answer): { readonly traceparent?: string } {
  const trace = readTraceparent(traceparent);
  return trace === undefined ? {} : { traceparent: writeTraceparent(trace) };
}

export function makeRecord({ url, internalUrl, key, timeoutMs = 10_000 }: Options): RecordClient {
  const talk = async (question: {
    readonly route: string;
    readonly url: string;
    readonly method?: "POST" | "PATCH";
    readonly body?: unknown;
  }): Promise<Answer> =>
    expectSense(await ask({ whom, headers: { "x-api-key": key }, timeoutMs, maxBytes, ...question }));
  return {
    readStanding: async (requestHash) => {
      const answer = await talk({
        route: "/transactions/{requestHash}/approval-status",
        url: `${url}/transactions/${requestHash}/approval-status`,
      });
      if (answer.status === 404) return { kind: "unknown" };
      const { orion } = parse(Status, answer);
      if (orion.length === 0) return { kind: "open", ...traceOf(answer) };
      return {
        kind: "decided",
        attestations: orion.flatMap(({ attestation }) => readAttestation(attestation) ?? []),
      };
    },
    postVerdict: async (verdict) => {
      const target = `${url}/transactions/${verdict.requestHash}/approvals`;
      const route = "/transactions/{requestHash}/approvals";
      const { status } = await talk({ route, url: target, method: "POST", body: verdict });
      return status === 201 ? "posted" : "refused";
    },
    listExecuted: async (escrow) => {
      const answer = await talk({
        route: "/transactions/users/{ethereumAddress}",
        url: `${url}/transactions/users/${escrow}?limit=${pageSize}`,
      });
      if (answer.status === 404) return [];
      return parse(Transactions, answer).flatMap(({ status, tx }) =>
        status === "EXECUTED" && tx ? [{ to: tx.to, data: tx.data }] : [],
      );
    },
    attachProof: async (requestHash, proof) => {
      const target = `${internalUrl}/internal/orion-metadata/${requestHash}/tee-proof`;
      const route = "/internal/orion-metadata/{requestHash}/tee-proof";
      const { status } = await talk({ route, url: target, method: "PATCH", body: proof });
      return status === 200 ? "attached" : "refused";
    },
    probe: () => knock(whom, `${url}/health`),
  };
}
