/** Proven states for tests: contracts of packages/evm at real addresses, in a block that another implementation of tries proves. */
import { encodeFunctionData, parseAbi } from "viem/utils";
import { simulate, type Witness } from "@countersign/evm";
import { coinbase, from, type TestAccount } from "../../../packages/evm/test/build-witness.ts";
import { closeWitness, slotOf } from "../../../packages/evm/test/close-witness.ts";
import { compileContracts } from "../../../packages/evm/test/compile.ts";
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
};

export const transferData = (amount: bigint): Hex => encodeFunctionData({ abi, args: [friend, amount] });

/** The state of a call. By default the account holds 1,000 USDC and 1 ETH, and sends 100 USDC. */
export function aState({
  contract = "Token",
  held = 1_000n * million,
  native = 10n ** 18n,
  call,
}: Given = {}) {
  const code = compileContracts().codeOf(contract);
  const accounts: Record<Hex, TestAccount> = {
    [from]: { balance: native },
    [coinbase]: { balance: 1n },
    [usdc]: { nonce: 1n, code, storage: { [slotOf(from, firstSlot)]: held } },
  };
  return closeWitness({
    accounts,
    call: { to: usdc, data: transferData(100n * million), ...call },
    run: (scene, onMissing) => simulate(scene, { onMissing }),
  });
}

/** A request to send USDC, with this state. */
export const aRequest = (state: unknown, amount = 100n * million): Record<string, unknown> => ({
  human_intent: `Send ${(amount / million).toString()} USDC to ${friend}`,
  proposed_tx: { to: usdc, data: transferData(amount) },
  metadata: { from, chain_id: 1, now: blockTime + 20, ...(state === undefined ? {} : { state }) },
});
