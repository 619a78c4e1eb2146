// Calls the validator without a proposal. Neither request nor answer is stored.
import { callService } from "@countersign/platform/trace";
import { readAtMost } from "../read-at-most.ts";
import { Description } from "./description.ts";
import { Report } from "./report.ts";

type Hex = `0x${string}`;

/** A transaction that was not proposed. */
type Transaction = {
  readonly tx: { readonly to: Hex; readonly value: string; readonly data: Hex };
  /** If absent, the validator assumes a chain and reports that. */
  readonly chainId?: number | undefined;
  /** The signer. Without it some checks are skipped. */
  readonly from?: Hex | undefined;
};

export type Question = Transaction & { readonly intent: string };

export type ToDescribe = Transaction & {
  /** The owner's names of addresses. */
  readonly knownAddresses?: readonly { readonly address: Hex; readonly label: string }[] | undefined;
};

/** The validator has no capacity for another public request right now. */
export class ValidatorBusy extends Error {
  override readonly name = "ValidatorBusy";
}

export type Validator = {
  /** Throws if the validator is down, slow, or does not answer with a report; `ValidatorBusy` if it has no capacity. */
  readonly check: (question: Question) => Promise<Report>;
  /** Throws in the same cases, or if it does not answer with a description. */
  readonly describe: (transaction: ToDescribe) => Promise<Description>;
};

type Options = { readonly url: string; readonly timeoutMs?: number };

/** Many times the longest expected answer. */
const longest = 4 * 1024 * 1024;

/** Calls the validator's public routes, which have separate workers. One deadline covers the whole answer. */
export function makeValidator({ url, timeoutMs = 10_000 }: Options): Validator {
  const base = url.replace(/\/+$/, "");
  const ask = async (path: string, body: object): Promise<unknown> => {
    // A library's error may contain the URL or the request, so none of it is passed on.
    const text = await exchange(`${base}${path}`, JSON.stringify(body), timeoutMs).catch(() => undefined);
    if (text === busy) throw new ValidatorBusy("the validator is busy");
    if (text === undefined) throw new Error("the validator did not answer in time");
    return parseJson(text);
  };
  return {
    check: async ({ intent, ...transaction }) => {
      const answer = await ask("/public/validate", { human_intent: intent, ...bodyOf(transaction) });
      const report = Report.safeParse(answer).data;
      if (report === undefined) throw new Error("the validator did not answer with a report");
      return report;
    },
    describe: async (transaction) => {
      const answer = await ask("/public/describe", bodyOf(transaction));
      const description = Description.safeParse(answer).data;
      if (description === undefined) throw new Error("the validator did not answer with a description");
      return description;
    },
  };
}

const bodyOf = ({ tx, chainId, from, knownAddresses }: ToDescribe): object => ({
  proposed_tx: { ...tx, chainId },
  metadata: { from, chain_id: chainId, known_addresses: knownAddresses },
});

const busy = Symbol("busy");

async function exchange(
  address: string,
  body: string,
  timeoutMs: number,
): Promise<string | typeof busy | undefined> {
  const route = { to: "validator", method: "POST", path: new URL(address).pathname };
  const response = await callService(route, (trace) =>
    fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...trace },
      body,
      redirect: "error",
      signal: AbortSignal.timeout(timeoutMs),
    }),
  );
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
