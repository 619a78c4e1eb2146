// The simulator's client. Its answers are passed on unread: the validator verifies them.
import { z } from "zod";
import type { BatchCall, Hex } from "@countersign/wire";
import { ask, jsonOf, knock, Unavailable } from "../http/index.ts";

type Simulated = {
  readonly chainId: number;
  readonly from: Hex;
  /** The account that signs data which lets others make `from` do this. */
  readonly signer?: Hex;
  /** In the order of their execution. */
  readonly calls: readonly BatchCall[];
  /** Names in the request, normalised, to be resolved on the same state. */
  readonly names: readonly string[];
};

export type Captured = {
  readonly state: object;
  /** The answer of a second engine about it. Undefined: the simulator has none to ask. */
  readonly secondEngine?: object | undefined;
};

export type Simulator = {
  /** Returns the proven state that the calls read. Throws `Unavailable` with the reason if there is none. */
  readonly capture: (asked: Simulated) => Promise<Captured>;
  readonly probe: () => Promise<void>;
};

const whom = "the simulator";
const maxBytes = 2 * 1024 * 1024;
const Reply = z.object({
  state: z.record(z.string(), z.unknown()),
  second_engine: z.record(z.string(), z.unknown()).optional(),
});

export const makeSimulator = ({ url, timeoutMs }: { url: string; timeoutMs: number }): Simulator => ({
  capture: async (asked) => {
    const answer = await ask({
      ...{ whom, route: "/states", url: `${url}/states`, method: "POST", body: asked, timeoutMs, maxBytes },
    });
    if (answer.status !== 200) throw new Unavailable(`${whom} answered with status ${answer.status}`);
    const reply = Reply.safeParse(jsonOf(answer));
    if (!reply.success) throw new Unavailable(`${whom} did not answer with a state`);
    const { state, second_engine: secondEngine } = reply.data;
    return { state, secondEngine };
  },
  probe: () => knock(whom, `${url}/ready`),
});
