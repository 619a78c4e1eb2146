// Runs of the JavaScript engine on proven states, as the capture hands them to the second engine.
import { simulate, type Call, type FollowingCall, type Hardfork, type Simulation } from "@countersign/evm";
import type { Hex } from "@countersign/wire";
import { coinbase, from, to, type TestAccount } from "../../../packages/evm/test/build-witness.ts";
import { closeWitness } from "../../../packages/evm/test/close-witness.ts";
import { firstRunOf } from "../src/states/first-run.ts";

export { from, to } from "../../../packages/evm/test/build-witness.ts";

type Given = {
  /** At the target of the call. */
  readonly code: Hex;
  readonly target?: TestAccount;
  readonly accounts?: Readonly<Record<Hex, TestAccount>>;
  readonly call?: Partial<Call>;
  /** To the target as well, if they do not name another. */
  readonly following?: readonly Partial<FollowingCall>[];
  readonly balance?: bigint;
  readonly hardfork?: Hardfork;
};

/** Returns the run of a call to this code, from an account with 10 ETH unless another balance is given. */
export async function runFirst({ code, target, accounts, call, following, hardfork, ...given }: Given) {
  const { balance = 10n ** 19n } = given;
  let simulation: Simulation | undefined;
  const witness = await closeWitness({
    accounts: {
      [from]: { balance },
      [coinbase]: { balance: 1n },
      [to]: { nonce: 1n, code, ...target },
      ...accounts,
    },
    ...{ call: call ?? {}, hardfork: hardfork ?? "osaka" },
    following: following?.map((one) => ({ to, value: "0x0", data: "0x", gas: "0x30d40", ...one })),
    run: async (scene, onMissing) => {
      simulation = await simulate(scene, { onMissing });
    },
  });
  if (simulation === undefined) throw new Error("the call was not simulated");
  return { witness, simulation, first: firstRunOf({ witness, simulation }) };
}
