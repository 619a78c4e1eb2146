// One run of a call with everything that a verdict uses. The capture of a witness and every replay call this function, so that a
// replay reads exactly the state that was captured.
import type { Hex } from "@countersign/wire";
import { readBalance } from "../effects/measure.ts";
import { makeMachine, type Machine, type MachineOptions, type Scene } from "../engine/machine.ts";
import { NotExecutable } from "../engine/stop.ts";
import { perturb, type Perturbation } from "../perturb/perturb.ts";
import { readPrices, type Price } from "./feeds.ts";
import { listMentions } from "./mentions.ts";

export type Simulation = {
  /** Balances of the sender before the call: the tokens that the call names. */
  readonly held: readonly { readonly token: Hex; readonly amount: bigint }[];
  /** Accounts whose balances of all named tokens are measured: the sender, and the accounts that the call names. */
  readonly holders: readonly Hex[];
} & (
  | ({ readonly kind: "ran"; readonly prices: readonly Price[] } & Perturbation)
  /** No block can contain it. The text is the engine's. */
  | { readonly kind: "not executable"; readonly reason: string }
);

/** Simulates the call. Throws MissingState, MissingBlockHash, LimitExceeded, and what `checkBudget` throws. */
export async function simulate(scene: Scene, options: MachineOptions = {}): Promise<Simulation> {
  const before = await makeMachine(scene, { ...options, onRead: undefined });
  const plan = await planMeasurement(scene, before);
  const assets = plan.held.map(({ token }) => ({ kind: "erc20" as const, token }));
  try {
    const found = await perturb(scene, { ...options, holders: plan.holders, assets });
    const moved = found.effects.balances
      .filter(({ holder }) => holder === scene.call.from)
      .flatMap(({ asset }) =>
        asset.kind === "native" ? ["native" as const] : asset.kind === "erc20" ? [asset.token] : [],
      );
    const { chainId, block } = scene;
    const prices = await readPrices(before, { chainId, assets: moved, now: block.timestamp });
    return { kind: "ran", ...plan, ...found, prices };
  } catch (error) {
    if (!(error instanceof NotExecutable)) throw error;
    return { kind: "not executable", ...plan, reason: error.message };
  }
}

type Plan = Pick<Simulation, "held" | "holders">;

/** Contracts that answer for the sender's balance are tokens; all other named accounts may receive something. */
async function planMeasurement({ call }: Scene, machine: Machine): Promise<Plan> {
  const mentions = listMentions(call.data).filter((address) => address !== call.from);
  const isPayment = call.data === "0x";
  const held: { token: Hex; amount: bigint }[] = [];
  for (const token of new Set(isPayment ? [] : [call.to, ...mentions])) {
    const amount = await readBalance(machine, { kind: "erc20", token }, call.from);
    if (amount !== undefined) held.push({ token, amount });
  }
  const isToken = (address: Hex): boolean => held.some(({ token }) => token === address);
  const others = isPayment ? [call.to] : mentions.filter((address) => !isToken(address));
  return { held, holders: [...new Set([call.from, ...others])] };
}
