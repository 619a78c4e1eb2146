// An answer whose body is read as it comes.
import { isRenewedAfter, write, type HttpOptions } from "../http.ts";
import { isGood, refusal } from "./answer.ts";
import type { Question } from "./ask.ts";
import { drop, send } from "./attempt.ts";

/** Resolves with a successful answer once its headers have come. Rejects as other calls do, without repeating the request. */
export async function openAnswer(
  options: HttpOptions,
  question: Question,
  signal: AbortSignal,
): Promise<Response> {
  const { fetch = globalThis.fetch } = options;
  const response = await openWith(options, question, { fetch, signal });
  if (isGood(response.answer, question.ask)) return response.answer;
  const { status, headers } = response.answer;
  throw refusal({ status, headers, text: await response.answer.text() }, response.question);
}

async function openWith(
  { credential, traceparent }: Pick<HttpOptions, "credential" | "traceparent">,
  question: Question,
  { fetch, signal }: { readonly fetch: typeof globalThis.fetch; readonly signal: AbortSignal },
): Promise<{ readonly answer: Response; readonly question: Question }> {
  for (let isRenewed = false; ; isRenewed = true) {
    const letter = await write(question, credential, traceparent);
    const answer = await send(letter, fetch, signal);
    const asked = { ...question, ask: { ...question.ask, headers: Object.fromEntries(letter.headers) } };
    if (answer.status !== 401 || isRenewed || !(await isRenewedAfter(letter, credential, signal)))
      return { answer, question: asked };
    await drop(answer);
  }
}
