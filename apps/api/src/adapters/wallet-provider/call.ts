// One request to the wallet provider: one deadline for the whole exchange, a size limit, no redirects. No text of the
// library or the provider is passed on, because it may contain the credentials.
import type { KeyObject } from "node:crypto";
import { callOther } from "@countersign/platform/trace";
import { z } from "zod";
import { SenderRefused } from "../sender.ts";
import { readAtMost } from "../read-at-most.ts";
import { signRequest, type Json } from "./sign-request.ts";

export type Access = {
  readonly url: string;
  readonly appId: string;
  readonly appSecret: string;
  /** Our P-256 key in quorums. */
  readonly authorizationKey: () => Promise<KeyObject>;
  /** For each request. */
  readonly timeoutMs: number;
};

export type Question = {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With a leading slash and no trailing one. */
  readonly path: string;
  readonly body?: Json;
  readonly idempotencyKey?: string;
};

/** A final refusal: a retry would be refused again. */
export class ProviderRefused extends SenderRefused {
  readonly status: number;

  constructor(status: number) {
    super(`The wallet provider refused (${status})`);
    this.status = status;
  }
}

/** More than a list of a few transactions. */
const longest = 256 * 1024;

/** Statuses that mean "not now", or that the request may already be in progress. */
const mayPass = [408, 409, 425, 429];

/** Throws `ProviderRefused` for a final refusal, and a plain error if the outcome is unknown. */
export async function ask<T>(access: Access, question: Question, Answer: z.ZodType<T>): Promise<T> {
  const signal = AbortSignal.timeout(access.timeoutMs);
  const { headers, body } = await dress(access, question);
  const response = await callOther({ to: "wallet provider", method: question.method }, () =>
    fetch(`${access.url}${question.path}`, {
      method: question.method,
      headers,
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
      signal,
    }),
  ).catch(() => {
    throw new Error(`The wallet provider did not answer${signal.aborted ? " in time" : ""}`);
  });
  if (!response.ok) {
    await response.body?.cancel().catch(() => undefined);
    throw refusalOf(response.status);
  }
  return read(response, Answer, signal);
}

const refusalOf = (status: number): Error =>
  status >= 400 && status < 500 && !mayPass.includes(status)
    ? new ProviderRefused(status)
    : new Error(`The wallet provider answered ${status}`);

type Dressed = { readonly headers: Readonly<Record<string, string>>; readonly body?: string };

/** Adds the credentials and, for requests that change something, our signature. */
async function dress(
  access: Access,
  { method, path, body = {}, idempotencyKey }: Question,
): Promise<Dressed> {
  const { url, appId, appSecret, authorizationKey } = access;
  const theirs = {
    "privy-app-id": appId,
    ...(idempotencyKey === undefined ? {} : { "privy-idempotency-key": idempotencyKey }),
  };
  const authorization = `Basic ${Buffer.from(`${appId}:${appSecret}`, "utf8").toString("base64")}`;
  if (method === "GET") return { headers: { ...theirs, authorization } };
  const signature = signRequest(
    { method, url: `${url}${path}`, body, headers: theirs },
    await authorizationKey(),
  );
  return {
    headers: {
      ...theirs,
      authorization,
      "content-type": "application/json",
      "privy-authorization-signature": signature,
    },
    body: JSON.stringify(body),
  };
}

async function read<T>({ body }: Response, Answer: z.ZodType<T>, signal: AbortSignal): Promise<T> {
  const bytes = await readAtMost(body, longest).catch(() => {
    throw new Error(`The wallet provider's answer was incomplete${signal.aborted ? " in time" : ""}`);
  });
  if (bytes === undefined) throw new Error(`The wallet provider's answer is longer than ${longest} bytes`);
  const parsed = Answer.safeParse(jsonIn(bytes.toString("utf8")));
  if (!parsed.success) throw new Error("The wallet provider's answer is malformed");
  return parsed.data;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Invalid JSON fails the schema as well.
    return undefined;
  }
}
