/** Asks a model each semantic question once, in parallel, within timeouts and a budget. Every failure becomes a SKIP. */
import { createHash } from "node:crypto";
import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import type { ModelClient } from "../adapters/model/index.ts";
import type { Opinion } from "../facts.ts";
import type { Span } from "../intent.ts";
import type { Registry } from "../registry.ts";
import type { Ask, Semantic, SemanticInput } from "../validate/semantic.ts";
import { canonical, type Json } from "./canonical.ts";
import { cleanText } from "./clean-text.ts";
import { describeRequest } from "./describe-request.ts";
import { promptVersion, systemText, userText, type Chance } from "./prompts.ts";
import { readAnswer } from "./read-answer.ts";
import { makeMemory, type Memory } from "./remember.ts";
import { makeBreaker, makeBudget, type Breaker } from "./throttle.ts";

type Limits = {
  readonly callsPerMinute: number;
  readonly nodeTimeoutMs?: number;
  readonly totalTimeoutMs?: number;
};

type Parts = {
  readonly client: ModelClient;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns 32 unpredictable hexadecimal digits. */
  readonly random: () => string;
  readonly limits: Limits;
  /** Takes a call from a budget that is shared with others. Default: a budget of its own. */
  readonly mayPay?: () => boolean;
};

/** Dependencies of one question. */
type Desk = Pick<Parts, "client" | "log" | "random"> & {
  readonly memory: Memory<Opinion>;
  readonly breaker: Breaker;
  readonly mayPay: () => boolean;
  readonly nodeTimeoutMs: number;
};

type Request = Readonly<Record<string, Json>>;
type Asked = { readonly opinion: Opinion; readonly calls: number; readonly prompt: string | null };

/** In characters. Longer requests are skipped: a model that sees a part would answer as if it were the whole. */
const maxWords = 4000;
const maxRequest = 24_000;

const unavailable = (why: string): Opinion => ({
  status: "SKIP",
  kind: "llm_unavailable",
  reasoning: `The language model could not be used: ${why}.`,
});

const tooLong: Opinion = {
  status: "SKIP",
  kind: "unsupported",
  reasoning: "The request is too long for the language model.",
};

export function makeSemantic({ client, registry, clock, log, random, limits, mayPay }: Parts): Semantic {
  const breaker = makeBreaker({ clock, failures: 5, restMs: 30_000 });
  const desk: Desk = {
    client,
    log,
    random,
    breaker,
    memory: makeMemory({ clock, ttlMs: 600_000, size: 1000 }),
    mayPay: mayPay ?? makeBudget({ clock, perMinute: limits.callsPerMinute }),
    nodeTimeoutMs: limits.nodeTimeoutMs ?? 2500,
  };
  return {
    model: client.model,
    state: breaker.state,
    ask: async (input) => {
      const total = AbortSignal.timeout(limits.totalTimeoutMs ?? 4000);
      const shown = show(input, registry);
      const all = await Promise.all(
        input.asks.map(async (ask) => {
          if (shown === null) return { ask, opinion: tooLong, calls: 0, prompt: null };
          return { ask, ...(await askOne(ask, shown, desk, total)) };
        }),
      );
      return {
        opinions: Object.fromEntries(all.map(({ ask, opinion }) => [ask, opinion])),
        calls: all.reduce((sum, { calls }) => sum + calls, 0),
        prompts: all.flatMap(({ prompt }) => prompt ?? []),
      };
    },
  };
}

type Shown = {
  readonly request: Request;
  readonly key: string;
  readonly length: number;
  readonly originOf: (span: Span) => Span;
};

function show(input: SemanticInput, registry: Registry): Shown | null {
  if (input.words.length > maxWords) return null;
  const { text, originOf } = cleanText(input.words);
  const request = describeRequest(input, text, registry);
  const key = canonical(request);
  return key.length > maxRequest ? null : { request, key, length: text.length, originOf };
}

async function askOne(ask: Ask, shown: Shown, desk: Desk, total: AbortSignal): Promise<Asked> {
  const { client, memory, breaker, mayPay, log } = desk;
  const key = createHash("sha256")
    .update(canonical([client.model, promptVersion, ask, shown.key]))
    .digest("hex");
  const chance = draw(desk.random);
  const system = systemText(ask);
  const user = userText(shown.request, chance);
  const prompt = client.hideKey(`${system}\n\n${user}`);
  const answer = (opinion: Opinion, calls: number): Asked => ({
    opinion: inOriginal(opinion, shown),
    calls,
    prompt,
  });
  const known = memory.find(key);
  if (known !== undefined) return answer(known, 0);
  if (!breaker.mayCall()) return answer(unavailable("it failed too often and is paused"), 0);
  if (!mayPay()) return answer(unavailable("the budget of calls for this minute is used up"), 0);
  const signal = AbortSignal.any([total, AbortSignal.timeout(desk.nodeTimeoutMs)]);
  const completion = await client.complete({ system, user, signal });
  if (completion.kind === "failed") {
    breaker.failed();
    log.warn("language model call failed", { step: ask, reason: completion.why });
    return answer(unavailable(completion.why), completion.reached ? 1 : 0);
  }
  breaker.succeeded();
  const opinion = readAnswer(completion.text, { ask, nonce: chance.nonce, length: shown.length });
  // A malformed response is not cached and does not count as a provider failure: the author of the request could provoke it.
  if (opinion.status === "SKIP" && opinion.kind === "upstream_failed")
    log.warn("language model response malformed", { step: ask, reason: opinion.reasoning });
  else memory.record(key, opinion);
  return answer(opinion, 1);
}

/** Draws the random values of one call. The marker is a private-use character, which clean text never contains. */
function draw(random: () => string): Chance {
  const marker = String.fromCharCode(0xe000 + (Number.parseInt(random().slice(0, 8), 16) % 0x1900));
  return { boundary: random(), nonce: random(), marker };
}

const inOriginal = (opinion: Opinion, { originOf }: Shown): Opinion =>
  opinion.status === "SKIP" ? opinion : { ...opinion, quotes: opinion.quotes.map(originOf) };
