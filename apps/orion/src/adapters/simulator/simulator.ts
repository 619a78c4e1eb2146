// The simulator's client. Its state is passed on unread: the validator verifies it.
import { z } from "zod";
import type { Hex } from "@countersign/wire";
import { ask, jsonOf, knock, Unavailable } from "../http/index.ts";

type SimulatedCall = {
  readonly chainId: number;
  readonly from: Hex;
  readonly to: Hex;
  /** Wei, in decimal digits. */
  readonly value: string;
  readonly data: Hex;
};

export type Simulator = {
  /** Returns the proven state that the call reads. Throws `Unavailable` with the reason if there is none. */
  readonly capture: (call: SimulatedCall) => Promise<object>;
  readonly probe: () => Promise<void>;
};

const whom = "the simulator";
const maxBytes = 2 * 1024 * 1024;
const Reply = z.object({ state: z.record(z.string(), z.unknown()) });

export const makeSimulator = ({ url, timeoutMs }: { url: string; timeoutMs: number }): Simulator => ({
  capture: async (call) => {
    const answer = await ask({
      ...{ whom, route: "/states", url: `${url}/states`, method: "POST", body: call, timeoutMs, maxBytes },
    });
    if (answer.status !== 200) throw new Unavailable(`${whom} answered with status ${answer.status}`);
    const reply = Reply.safeParse(jsonOf(answer));
    if (!reply.success) throw new Unavailable(`${whom} did not answer with a state`);
    return reply.data.state;
  },
  probe: () => knock(whom, `${url}/ready`),
});
