/** A model's text → an opinion, or the reason why it is none. Whatever is not exactly in the agreed form does not count. */
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
  /** Of the clean words, in which quotes are counted. */
  readonly length: number;
};

const malformed = (what: string): Opinion => ({
  status: "SKIP",
  kind: "upstream_failed",
  reasoning: `The language model answered out of form (llm_malformed): ${what}.`,
});

/** Quotes come back as places in the clean words. */
export function readAnswer(text: string, { ask, nonce, length }: Expected): Opinion {
  if (text.length > maxLength) return malformed("too long");
  const parsed = forms[ask].safeParse(parseJson(text));
  if (!parsed.success) return malformed(isWhyTooLong(parsed.error) ? "too long" : "not the agreed JSON");
  const { status, issue_codes: issues, quote: quotes, why } = parsed.data;
  if (parsed.data.nonce !== nonce) return malformed("the nonce is not the one it was given");
  if (quotes.some(([from, to]) => from >= to || to > length)) return malformed("a quote is not in the words");
  if (status !== "FAIL" && issues.length > 0) return malformed("it names issues and does not object");
  if (status === "SKIP")
    return { status, kind: "llm_unavailable", reasoning: "The language model could not tell." };
  return { status, issues: [...new Set(issues)], quotes, why };
}

const isWhyTooLong = ({ issues }: z.ZodError): boolean =>
  issues.some(({ code, path }) => code === "too_big" && path[0] === "why");

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // The form refuses it.
    return undefined;
  }
}
