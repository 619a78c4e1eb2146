// The arbiter's judgement, asked without a proposal. What is asked and answered goes through and is kept nowhere.
import { readAtMost } from "../read-at-most.ts";
import { Report } from "./report.ts";

type Hex = `0x${string}`;

export type Question = {
  readonly intent: string;
  readonly tx: { readonly to: Hex; readonly value: string; readonly data: Hex };
  /** Without one the validator assumes a chain, and says so. */
  readonly chainId?: number | undefined;
  /** Who would sign. Without it some checks have nothing to look at. */
  readonly from?: Hex | undefined;
};

/** The validator has no room for another public request just now. */
export class ValidatorBusy extends Error {
  override readonly name = "ValidatorBusy";
}

export type Validator = {
  /** Throws if it is away, slow, or answers something else than a report; `ValidatorBusy` if it has no room. */
  readonly judge: (question: Question) => Promise<Report>;
};

type Options = { readonly url: string; readonly timeoutMs?: number };

/** Many times the longest answer to what we ask. */
const longest = 4 * 1024 * 1024;

/** Asks the validator's public route, whose workers are its own. The deadline is one for the whole of the answer. */
export function makeValidator({ url, timeoutMs = 10_000 }: Options): Validator {
  const address = `${url.replace(/\/+$/, "")}/public/validate`;
  return {
    judge: async (question) => {
      // What a library says may repeat the address or the question; none of its words go on from here.
      const text = await exchange(address, bodyOf(question), timeoutMs).catch(() => undefined);
      if (text === busy) throw new ValidatorBusy("the validator is busy");
      if (text === undefined) throw new Error("the validator could not be asked, or not in time");
      const report = Report.safeParse(parseJson(text)).data;
      if (report === undefined) throw new Error("the validator answered something else than a report");
      return report;
    },
  };
}

const bodyOf = ({ intent, tx, chainId, from }: Question): string =>
  JSON.stringify({
    human_intent: intent,
    proposed_tx: { ...tx, chainId },
    metadata: { from, chain_id: chainId },
  });

const busy = Symbol("busy");

async function exchange(
  address: string,
  body: string,
  timeoutMs: number,
): Promise<string | typeof busy | undefined> {
  const response = await fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    redirect: "error",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.status === 200) return (await readAtMost(response.body, longest))?.toString("utf8");
  await response.body?.cancel();
  return response.status === 503 ? busy : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
