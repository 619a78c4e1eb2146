// A second copy of every block, at a service with the IPFS Pinning Service API
// (https://ipfs.github.io/pinning-services-api-spec/). The service fetches the block from one of `origins`.
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ask, parseJson, type Server } from "./ask.ts";

export type PinningOptions = {
  readonly url: string;
  readonly token: string;
  /** Multiaddresses under which the service reaches the node that has the blocks. */
  readonly origins: readonly string[];
};

const maximumBytes = 64 * 1024;
const everyMs = 250;

const PinStatus = z.object({
  requestid: z.string().min(1),
  status: z.enum(["queued", "pinning", "pinned", "failed"]),
  pin: z.object({ cid: z.string() }),
});
type PinStatus = z.output<typeof PinStatus>;
const PinResults = z.object({ results: z.array(PinStatus) });

type PinningService = {
  /**
   * Returns once the service has the block, or still has it in its queue when the time is over: the node keeps it in any
   * case. Throws if the service refuses, fails or answers about another block.
   */
  readonly keepCopy: (cid: string) => Promise<void>;
  /** Throws if the service does not answer or refuses the token. */
  readonly probe: () => Promise<void>;
};

export function makePinningService({
  origins,
  ...options
}: PinningOptions & { readonly timeoutMs: number }): PinningService {
  const server: Server = { whom: "the pinning service", ...options };

  const read = async <T>(shape: z.ZodType<T>, ...question: QuestionOf): Promise<T> => {
    const [path, init] = question;
    const parsed = shape.safeParse(parseJson(await ask(server, path, { ...init, maximumBytes })));
    if (!parsed.success) throw new Error(`${server.whom}'s answer does not follow its API`);
    return parsed.data;
  };
  const about = (cid: string, found: PinStatus): PinStatus => {
    if (found.pin.cid !== cid) throw new Error(`${server.whom} answered about another block than ${cid}`);
    return found;
  };
  const find = async (cid: string): Promise<PinStatus | undefined> => {
    const query = new URLSearchParams({ cid, status: "queued,pinning,pinned", limit: "1" });
    const [found] = (await read(PinResults, `/pins?${query.toString()}`, {})).results;
    return found && about(cid, found);
  };
  const add = async (cid: string): Promise<PinStatus> =>
    about(
      cid,
      await read(PinStatus, "/pins", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ cid, origins }),
      }),
    );

  const keepCopy = async (cid: string): Promise<void> => {
    const patience = AbortSignal.timeout(server.timeoutMs);
    let found = (await find(cid)) ?? (await add(cid));
    while (found.status === "queued" || found.status === "pinning") {
      if (patience.aborted) return;
      await sleep(everyMs);
      found = about(cid, await read(PinStatus, `/pins/${encodeURIComponent(found.requestid)}`, {}));
    }
    if (found.status === "failed") throw new Error(`${server.whom} failed to pin ${cid}`);
  };
  return {
    keepCopy,
    probe: async () => {
      await read(PinResults, "/pins?limit=1", {});
    },
  };
}

type QuestionOf = readonly [
  path: string,
  init: {
    readonly method?: "POST";
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  },
];
