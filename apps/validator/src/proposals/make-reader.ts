/** Asks a model for a reading, once per text, within limits on time, length and cost. Every failure is no reading. */
import { createHash } from "node:crypto";
import type { Clock } from "@countersign/platform/clock";
import type { Log } from "@countersign/platform/log";
import type { ModelClient } from "../adapters/model/index.ts";
import { cleanText } from "../semantic/clean-text.ts";
import { makeMemory } from "../semantic/remember.ts";
import { makeBreaker } from "../semantic/throttle.ts";
import type { ProposedReading, Reader } from "../validate/reader.ts";
import { parseProposal } from "../words/readings/parse-proposal.ts";
import { limits } from "../words/readings/reading.ts";
import { readerPromptVersion, readerSystemText, readerUserText } from "./prompt.ts";

type Parts = {
  readonly client: ModelClient;
  readonly clock: Clock;
  readonly log: Log;
  /** Returns 32 unpredictable hexadecimal digits. */
  readonly random: () => string;
  /** Takes a call from the budget, or returns false. */
  readonly mayPay: () => boolean;
  readonly timeoutMs?: number;
};

/** An answer repeats the text with its parts. */
const maxTokens = 4_000;

export function makeReader({ client, clock, log, random, mayPay, timeoutMs = 5_000 }: Parts): Reader {
  const memory = makeMemory<ProposedReading | null>({ clock, ttlMs: 600_000, size: 1000 });
  const breaker = makeBreaker({ clock, failures: 5, restMs: 30_000 });

  const ask = async (text: string): Promise<ProposedReading | null> => {
    const key = createHash("sha256").update(text).digest("hex");
    const known = memory.find(key);
    if (known !== undefined) return known;
    if (!breaker.mayCall() || !mayPay()) return null;
    const signal = AbortSignal.timeout(timeoutMs);
    const user = readerUserText(text, random());
    const completion = await client.complete({ system: readerSystemText, user, signal, maxTokens });
    if (completion.kind === "failed") {
      breaker.failed();
      log.warn("model reader call failed", { reason: completion.why });
      return null;
    }
    breaker.succeeded();
    const reading = parseProposal(completion.text, text);
    memory.record(key, reading);
    return reading;
  };

  return {
    by: { model: client.model, prompt: readerPromptVersion },
    propose: async (text) => {
      if (!isPlain(text)) return null;
      try {
        return await ask(text);
      } catch (error) {
        log.warn("model reader failed", { error });
        return null;
      }
    },
  };
}

/** Not too long, and without characters that a model does not see or must not get: a pasted key is no address. */
const isPlain = (text: string): boolean =>
  text.length <= limits.text && withoutBlanks(cleanText(text).text) === withoutBlanks(text);

const withoutBlanks = (text: string): string => text.replace(/\s+/gu, "");
