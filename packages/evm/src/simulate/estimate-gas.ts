// How much gas calls use, each after those before it. A node need not be asked, so it need not be believed.
import { quantity } from "../hex.ts";
import { callsOf } from "../engine/calls.ts";
import { makeMachine, type MachineOptions } from "../engine/machine.ts";
import type { Scene } from "../engine/scene-type.ts";
import { NotExecutable } from "../engine/stop.ts";
import { limits } from "../witness.ts";

/**
 * Returns the gas that each call uses if it gets all that a transaction may have, up to the first that fails. The sender need not be able
 * to pay for gas; nothing is returned if it cannot pay what it sends. Throws MissingState, MissingBlockHash and LimitExceeded.
 */
export async function estimateGas(scene: Scene, options: MachineOptions = {}): Promise<readonly bigint[]> {
  const gas = quantity(limits.gas);
  const generous = {
    ...scene,
    block: { ...scene.block, baseFeePerGas: 0n },
    call: { ...scene.call, gas, maxFeePerGas: "0x0", maxPriorityFeePerGas: "0x0" },
    following: (scene.following ?? []).map((one) => ({ ...one, gas })),
  } as const;
  try {
    const { gasOfEach, relayer } = await (await makeMachine(generous, options)).run();
    // In one transaction only the sum is known.
    const [sum = 0n] = gasOfEach;
    return relayer === null ? gasOfEach : callsOf(scene).map(() => sum);
  } catch (error) {
    if (error instanceof NotExecutable) return [];
    throw error;
  }
}
