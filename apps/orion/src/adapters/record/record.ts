// The main service's API for an ORION key: existing decisions, and where verdicts are posted.
import { z } from "zod";
import { readTraceparent, writeTraceparent } from "@countersign/platform/trace";
import { readAttestation, type Attestation, type Decision, type Hex } from "@countersign/wire";
import { WholeContent } from "@countersign/wire/envelope";
import { ask, jsonOf, knock, Unavailable, type Answer } from "../http/index.ts";

/** The status of a request. `decided`: it has a verdict, and there is never a second one. */
export type Standing =
  | { readonly kind: "unknown" }
  | {
      readonly kind: "open";
      /** The trace that it was proposed in. */
      readonly traceparent?: string;
      /** Calls that the account has executed, newest first. Absent if they were not asked for. */
      readonly executed?: readonly ExecutedCall[];
    }
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
  /** Of several at once. */
  readonly readStandings: (requestHashes: readonly Hex[]) => Promise<ReadonlyMap<Hex, Standing>>;
  /** "refused": it will not be accepted however often it is posted. The status says why. */
  readonly postVerdict: (verdict: PostedVerdict) => Promise<"posted" | "refused">;
  /** Calls that the account has executed, newest first, except encrypted ones. */
  readonly listExecuted: (escrow: Hex) => Promise<readonly ExecutedCall[]>;
  /** "refused": there is one already, or none is wanted. */
  readonly attachProof: (requestHash: Hex, proof: unknown) => Promise<"attached" | "refused">;
  /** The content of an unencrypted proposal that awaits its verdict. Undefined for every other hash. */
  readonly readContent: (requestHash: Hex) => Promise<WholeContent | undefined>;
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

const Verifications = z.object({
  verifications: z.array(
    z.object({
      requestHash: z.string(),
      status: z.enum(["unknown", "open", "decided"]),
      attestation: z.unknown(),
      traceparent: z.string().nullable(),
      executed: z.array(z.object({ to: z.string(), data: z.string() })),
    }),
  ),
});
type Verification = z.output<typeof Verifications>["verifications"][number];

/** The main service answers about so many at once. */
const standingsAtOnce = 200;

function standingOf({ status, attestation, traceparent, executed }: Verification): Standing {
  if (status === "unknown") return { kind: "unknown" };
  if (status === "open") return { kind: "open", executed, ...traceOf(traceparent ?? undefined) };
  return { kind: "decided", attestations: [readAttestation(attestation) ?? []].flat() };
}

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

function traceOf(traceparent: string | undefined): { readonly traceparent?: string } {
  const trace = readTraceparent(traceparent);
  return trace === undefined ? {} : { traceparent: writeTraceparent(trace) };
}

type Talk = (question: {
  readonly route: string;
  readonly url: string;
  readonly method?: "POST" | "PATCH";
  readonly body?: unknown;
}) => Promise<Answer>;

/** Calls that the main service may serve on a port of its own. */
const makeInternal = (
  internalUrl: string,
  talk: Talk,
): Pick<RecordClient, "attachProof" | "readContent"> => ({
  attachProof: async (requestHash, proof) => {
    const target = `${internalUrl}/internal/orion-metadata/${requestHash}/tee-proof`;
    const route = "/internal/orion-metadata/{requestHash}/tee-proof";
    const { status } = await talk({ route, url: target, method: "PATCH", body: proof });
    return status === 200 ? "attached" : "refused";
  },
  readContent: async (requestHash) => {
    const answer = await talk({
      route: "/internal/proposals/{requestHash}/content",
      url: `${internalUrl}/internal/proposals/${requestHash}/content`,
    });
    return answer.status === 404 ? undefined : parse(WholeContent, answer);
  },
});

const makeReadStanding =
  (url: string, talk: Talk): RecordClient["readStanding"] =>
  async (requestHash) => {
    const answer = await talk({
      route: "/transactions/{requestHash}/approval-status",
      url: `${url}/transactions/${requestHash}/approval-status`,
    });
    if (answer.status === 404) return { kind: "unknown" };
    const { orion } = parse(Status, answer);
    if (orion.length === 0) return { kind: "open", ...traceOf(answer.traceparent) };
    return {
      kind: "decided",
      attestations: orion.flatMap(({ attestation }) => readAttestation(attestation) ?? []),
    };
  };

type Found = readonly (readonly [Hex, Standing])[];

/** Undefined if the main service is of a version without this route. */
async function readTogether(
  internalUrl: string,
  talk: Talk,
  requestHashes: readonly Hex[],
): Promise<Found | undefined> {
  const route = "/internal/verifications";
  const answer = await talk({
    ...{ route, url: `${internalUrl}${route}`, method: "POST", body: { requestHashes } },
  });
  if (answer.status === 404 || answer.status === 405) return undefined;
  return parse(Verifications, answer).verifications.map((one) => [one.requestHash as Hex, standingOf(one)]);
}

const makeReadStandings =
  (
    internalUrl: string,
    talk: Talk,
    readStanding: RecordClient["readStanding"],
  ): RecordClient["readStandings"] =>
  async (requestHashes) => {
    const readEach = (some: readonly Hex[]): Promise<Found> =>
      Promise.all(some.map(async (hash) => [hash, await readStanding(hash)] as const));
    const all: (readonly [Hex, Standing])[] = [];
    for (let from = 0; from < requestHashes.length; from += standingsAtOnce) {
      const some = requestHashes.slice(from, from + standingsAtOnce);
      all.push(...((await readTogether(internalUrl, talk, some)) ?? (await readEach(some))));
    }
    return new Map(all);
  };

export function makeRecord({ url, internalUrl, key, timeoutMs = 10_000 }: Options): RecordClient {
  const talk: Talk = async (question) =>
    expectSense(await ask({ whom, headers: { "x-api-key": key }, timeoutMs, maxBytes, ...question }));
  const readStanding = makeReadStanding(url, talk);
  return {
    ...makeInternal(internalUrl, talk),
    readStanding,
    readStandings: makeReadStandings(internalUrl, talk, readStanding),
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
    probe: () => knock(whom, `${url}/health`),
  };
}
