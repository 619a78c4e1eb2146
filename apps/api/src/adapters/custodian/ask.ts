// One request to the custodian: signed, with a deadline for the whole exchange, and never retried.
import { Agent, request } from "undici";
import type { Clock } from "@countersign/platform/clock";
import { callOther } from "@countersign/platform/trace";
import { z } from "zod";
import { readAtMost } from "../read-at-most.ts";
import type { Access } from "./access.ts";
import { makePrintable, secretsIn } from "./printable.ts";
import { signToken, type Question } from "./token.ts";

export type Answer = {
  readonly status: number;
  readonly body: unknown;
  /** The error they report: their code, and one line without secrets. Empty if unreadable. */
  readonly code: number | undefined;
  readonly complaint: string;
};

export type Ask = (access: Access, question: Question) => Promise<Answer>;

type Options = {
  readonly url?: string | undefined;
  readonly timeoutMs: number;
  readonly clock: Clock;
};

const longest = 1024 * 1024;

const hosts: Readonly<Record<Access["region"], string>> = {
  US: "https://api.fireblocks.io",
  EU: "https://eu-api.fireblocks.io",
  EU2: "https://eu2-api.fireblocks.io",
};

/** A closed list: neither a row nor a request decides where a credential is sent. */
export const hostOf = ({ environment, region }: Pick<Access, "environment" | "region">): string =>
  environment === "sandbox" ? "https://sandbox-api.fireblocks.io" : hosts[region];

export function makeAsk({ url, timeoutMs, clock }: Options): Ask {
  // No connection is reused: one that they closed in the meantime would leave a request with an unknown outcome.
  const agent = new Agent({ pipelining: 0, connect: { timeout: timeoutMs } });
  return async (access, question) => {
    const token = await signToken(access, question, clock.now());
    const base = (url ?? hostOf(access)).replace(/\/+$/, "");
    const exchange = callOther({ to: "custodian", method: question.method }, () =>
      exchangeOnce(agent, `${base}${question.path}`, {
        method: question.method,
        headers: headersOf(access.apiKey, token, question),
        ...(question.body === "" ? {} : { body: question.body }),
        signal: AbortSignal.timeout(timeoutMs),
      }),
    );
    // A library's error may contain the request with its credentials, so none of it is passed on.
    const { status, text } = await exchange.catch(() => {
      throw new Error("the custodian could not be reached, or did not answer in time");
    });
    return readAnswer(status, text, secretsIn(access.apiKey, token));
  };
}

function headersOf(apiKey: string, token: string, question: Question): Record<string, string> {
  return {
    accept: "application/json",
    "x-api-key": apiKey,
    authorization: `Bearer ${token}`,
    ...(question.body === "" ? {} : { "content-type": "application/json" }),
    ...(question.idempotencyKey === undefined ? {} : { "idempotency-key": question.idempotencyKey }),
  };
}

type Init = NonNullable<Parameters<typeof request>[1]>;

async function exchangeOnce(dispatcher: Agent, address: string, init: Init): Promise<Exchanged> {
  // A redirect counts as any other answer and is not followed.
  const { statusCode, body } = await request(address, { ...init, dispatcher });
  try {
    return { status: statusCode, text: await readText(body) };
  } finally {
    // Destroying the unread body emits an error, which would end the process if unhandled.
    body.on("error", () => undefined).destroy();
  }
}

type Exchanged = { readonly status: number; readonly text: string };

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const bytes = await readAtMost(body, longest);
  if (bytes === undefined) throw new Error("too long");
  return bytes.toString("utf8");
}

const complaintShape = z.object({ code: z.number().int().optional(), message: z.string().optional() });

function readAnswer(status: number, text: string, secrets: readonly string[]): Answer {
  const body = parseJson(text);
  const { code, message } = complaintShape.safeParse(body).data ?? {};
  const complaint = makePrintable([code, message].filter((part) => part !== undefined).join(" "), secrets);
  return { status, body, code, complaint };
}

/** Returns undefined for invalid JSON. The status alone then decides. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
