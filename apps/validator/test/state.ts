/** Proven states for tests: contracts of packages/evm at real addresses, in a block that another implementation of tries proves. */
import { encodeFunctionData, parseAbi } from "viem/utils";
import {
  agree,
  cannotTell,
  engineResultOf,
  hashWitness,
  sceneOf,
  simulate,
  verifyWitness,
  type Agreement,
  type EngineResult,
  type Witness,
} from "@countersign/evm";
import { coinbase, from, type TestAccount } from "../../../packages/evm/test/build-witness.ts";
import { closeWitness, slotOf } from "../../../packages/evm/test/close-witness.ts";
import { compileContracts } from "../../../packages/evm/test/compile.ts";
import { nameAccounts, type TestName } from "../../../packages/evm/test/names.ts";
import type { Address, Hex } from "../src/proposal.ts";

export { from } from "../../../packages/evm/test/build-witness.ts";
export const friend: Address = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
export const usdc: Address = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
export const million = 10n ** 6n;
/** Of the proven block, in Unix seconds. */
export const blockTime = 1_790_000_000;

const abi = parseAbi(["function transfer(address to, uint256 value)"]);
const firstSlot = `0x${"0".repeat(64)}` as const;

type Given = {
  /** The contract at the address of USDC. */
  readonly contract?: string;
  readonly held?: bigint;
  readonly native?: bigint;
  readonly call?: Partial<Witness["call"]>;
  readonly following?: Witness["following"];
  readonly signer?: Hex;
  /** Makes the account a contract, with these owners. */
  readonly owners?: readonly Hex[];
  /** A name that the state resolves. */
  readonly name?: TestName;
};

export const transferData = (amount: bigint): Hex => encodeFunctionData({ abi, args: [friend, amount] });

/** The state of a call, or of several. By default the account holds 1,000 USDC and 1 ETH, and sends 100 USDC. */
export function aState({
  contract = "Token",
  held = 1_000n * million,
  native = 10n ** 18n,
  call,
  following,
  signer,
  owners,
  name,
}: Given = {}) {
  const code = compileContracts().codeOf(contract);
  const accounts: Record<Hex, TestAccount> = {
    [from]: {
      balance: native,
      ...(owners && {
        code: compileContracts().codeOf("OwnedAccount"),
        storage: Object.fromEntries(owners.map((owner) => [slotOf(owner, firstSlot), 1n])),
      }),
    },
    [coinbase]: { balance: 1n },
    [usdc]: { nonce: 1n, code, storage: { [slotOf(from, firstSlot)]: held } },
    ...(name === undefined ? {} : nameAccounts(name)),
  };
  return closeWitness({
    accounts,
    names: name && [name.name],
    call: { to: usdc, data: transferData(100n * million), ...call },
    following: following?.length === 0 ? undefined : following,
    signer,
    run: (scene, onMissing) => simulate(scene, { onMissing }),
  });
}

export type PlantedDifference = (result: EngineResult) => EngineResult;

/** The answer of a second engine about a state: that of the JavaScript engine, with a difference if one is planted. */
export async function anAgreement(state: Witness, plant?: PlantedDifference): Promise<Agreement> {
  const result = engineResultOf(await simulate(sceneOf(verifyWitness(state))));
  return agree(aboutEngine(state), result, plant?.(result) ?? result);
}

export const noAgreement = (state: Witness, why: string): Agreement => cannotTell(aboutEngine(state), why);

const aboutEngine = (state: Witness) => ({ engine: "a second engine 1.0", state: hashWitness(state) });

/** A request to send USDC, with this state. */
export const aRequest = (
  state: unknown,
  amount = 100n * million,
  secondEngine?: unknown,
): Record<string, unknown> => ({
  human_intent: `Send ${(amount / million).toString()} USDC to ${friend}`,
  proposed_tx: { to: usdc, data: transferData(amount) },
  metadata: {
    ...{ from, chain_id: 1, now: blockTime + 20 },
    ...(state === undefined ? {} : { state }),
    ...(secondEngine === undefined ? {} : { second_engine: secondEngine }),
  },
});
