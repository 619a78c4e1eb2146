// Turns a response into a value or an error.
import { ConnectionError, errorOf, type ApiError } from "../errors.ts";
import { readRetryAfter } from "../retry.ts";
import type { Ask, Question } from "./ask.ts";
import type { Outcome } from "./attempt.ts";
import { hideSecrets } from "./secrets.ts";
import { pathOf } from "./service.ts";

/** A response of `request`. */
export type Answer<Body> = { readonly status: number; readonly headers: Headers; readonly body: Body };

type Arrived = Exclude<Outcome, { readonly status: "lost" }>;

const nameOf = ({ path, ask: { method = "GET" } }: Question): string => `${method} ${pathOf(path)}`;

export const isGood = ({ status }: { readonly status: number }, { accept = [] }: Ask): boolean =>
  (status >= 200 && status < 300) || accept.includes(status);

export function readAnswer<Body>({ status, headers, text }: Arrived, question: Question): Answer<Body> {
  if (text === "") return { status, headers, body: undefined as Body };
  try {
    return { status, headers, body: JSON.parse(text) as Body };
  } catch {
    throw new ConnectionError(
      `The response of ${question.origin} to ${nameOf(question)} is not JSON: check the service's address`,
    );
  }
}

export const noAnswer = (why: string, question: Question): ConnectionError =>
  new ConnectionError(`No response from ${question.origin} to ${nameOf(question)}: ${why}`);

export function refusal({ status, headers, text }: Arrived, question: Question): ApiError {
  const { path, ask } = question;
  const body = parsed(hideSecrets(text, question));
  return errorOf({
    ...{ status, method: ask.method ?? "GET", path: pathOf(path), body },
    message: messageOf(body) ?? `${question.origin} responded to ${nameOf(question)} with ${status}`,
    code: headers.get("x-error-code") ?? undefined,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterMs: readRetryAfter(headers),
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The main service uses `message`, its OAuth endpoints `error_description`, the validator `detail`. */
function messageOf(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const said = body as Readonly<Record<string, unknown>>;
  const text = said["message"] ?? said["error_description"] ?? said["detail"];
  return typeof text === "string" && text !== "" ? text : undefined;
}
