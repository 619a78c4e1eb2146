/** Parses a model's response into an opinion. A response that is not exactly in the required format does not count. */
import { z } from "zod";
import type { Opinion } from "../facts.ts";
import type { Ask } from "../validate/semantic.ts";
import { topics } from "./prompts.ts";

const maxLength = 4000;
const maxWhy = 240;

const place = z.tuple([z.int().min(0), z.int().min(0)]);
const formFor = (ask: Ask) =>
  z.strictObject({
    status: z.enum(["PASS", "FAIL", "SKIP"]),
    issue_codes: z.array(z.enum(topics[ask].codes)).max(8),
    quote: z.array(place).max(8),
    why: z.string().max(maxWhy),
    nonce: z.string(),
  });
const forms: Readonly<Record<Ask, ReturnType<typeof formFor>>> = {
  consistency: formFor("consistency"),
  pressure: formFor("pressure"),
  purpose: formFor("purpose"),
};

export type Expected = {
  readonly ask: Ask;
  readonly nonce: string;
  /** Length of the clean request. Quotes are positions in it. */
  readonly length: number;
};

const malformed = (what: string): Opinion => ({
  status: "SKIP",
  kind: "upstream_failed",
  reasoning: `The language model's response is malformed (llm_malformed): ${what}.`,
});

/** Returns the opinion, with quotes as positions in the clean request. A malformed response becomes a SKIP. */
export function readAnswer(text: string, { ask, nonce, length }: Expected): Opinion {
  if (text.length > maxLength) return malformed("too long");
  const parsed = forms[ask].safeParse(parseJson(text));
  if (!parsed.success) return malformed(isWhyTooLong(parsed.error) ? "too long" : "not the required JSON");
  const { status, issue_codes: issues, quote: quotes, why } = parsed.data;
  if (parsed.data.nonce !== nonce) return malformed("the nonce is wrong");
  if (quotes.some(([from, to]) => from >= to || to > length))
    return malformed("a quote is outside the request");
  if (status !== "FAIL" && issues.length > 0) return malformed("it lists issues without a FAIL");
  if (status === "SKIP")
    return { status, kind: "llm_unavailable", reasoning: "The language model could not decide." };
  return { status, issues: [...new Set(issues)], quotes, why };
}

const isWhyTooLong = ({ issues }: z.ZodError): boolean =>
  issues.some(({ code, path }) => code === "too_big" && path[0] === "why");

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The schema rejects it.
    return undefined;
  }
}
