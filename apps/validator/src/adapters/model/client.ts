/**
 * Calls a language model at `POST {url}/chat/completions`, which hosted and local servers share. One request, no retry,
 * no redirect, a bounded response. It never throws, and the key is only in one header.
 */
import { callOther } from "@countersign/platform/trace";
import { z } from "zod";

export type Completion =
  | { readonly kind: "answer"; readonly text: string }
  /** `reached`: the request arrived, as far as can be told, and may have been paid for. */
  | { readonly kind: "failed"; readonly reached: boolean; readonly why: string };

type Question = {
  readonly system: string;
  readonly user: string;
  readonly signal: AbortSignal;
  /** Limits the answer. Default: what an opinion needs. */
  readonly maxTokens?: number;
};

export type ModelClient = {
  readonly model: string;
  readonly complete: (question: Question) => Promise<Completion>;
  /** A text without the key, should it stand in it. */
  readonly hideKey: (text: string) => string;
};

type ModelAddress = {
  readonly url: string;
  readonly key: string | undefined;
  readonly model: string;
};

/** Many times what the agreed answer needs. */
const maxAnswerBytes = 64 * 1024;
const opinionTokens = 400;

/** Any fixed number: the same question should get the same answer. */
const seed = 1;

const Reply = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

const neverArrived = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "UND_ERR_CONNECT_TIMEOUT",
]);

export function makeModelClient({ url, key, model }: ModelAddress): ModelClient {
  const headers = {
    "content-type": "application/json",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  const hideKey = (text: string): string => (key === undefined ? text : text.replaceAll(key, "[redacted]"));
  return {
    model,
    hideKey,
    complete: async ({ system, user, signal, maxTokens = opinionTokens }) => {
      const body = JSON.stringify({
        model,
        temperature: 0,
        seed,
        max_tokens: maxTokens,
        response_format: { type: "json_object" },
        messages: [
          { role: "system", content: system },
          { role: "user", content: user },
        ],
      });
      try {
        // A redirect would carry the key to an address that the operator did not choose.
        const redirect = "error";
        const response = await callOther({ to: "model", method: "POST" }, () =>
          fetch(`${url}/chat/completions`, { method: "POST", headers, body, signal, redirect }),
        );
        return await readReply(response, hideKey);
      } catch (error) {
        return explainFailure(error, signal);
      }
    },
  };
}

async function readReply(response: Response, hideKey: (text: string) => string): Promise<Completion> {
  const failed = (why: string): Completion => ({ kind: "failed", reached: true, why });
  if (!response.ok) {
    // Ignores the text of an error response, because providers repeat parts of the key there.
    await response.body?.cancel();
    return failed(`it answered with status ${response.status}`);
  }
  const text = await readAtMost(response, maxAnswerBytes);
  if (text === undefined) return failed("its answer is too long");
  const reply = Reply.safeParse(parseJson(text));
  if (!reply.success) return failed("its answer is not a completion");
  return { kind: "answer", text: hideKey(reply.data.choices[0]?.message.content ?? "") };
}

async function readAtMost(response: Response, limitBytes: number): Promise<string | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const body: AsyncIterable<Uint8Array> | null = response.body;
  if (body === null) return "";
  for await (const part of body) {
    parts.push(part);
    size += part.byteLength;
    // Leaving the loop closes the connection.
    if (size > limitBytes) return undefined;
  }
  return Buffer.concat(parts).toString("utf8");
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Not JSON is one more answer in the wrong form.
    return undefined;
  }
}

function explainFailure(error: unknown, signal: AbortSignal): Completion {
  if (signal.aborted) return { kind: "failed", reached: true, why: "it did not answer in time" };
  const code = codeOf(error);
  return code !== undefined && neverArrived.has(code)
    ? { kind: "failed", reached: false, why: "it could not be reached" }
    : { kind: "failed", reached: true, why: "the connection failed" };
}

function codeOf(error: unknown): string | undefined {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : undefined;
}
