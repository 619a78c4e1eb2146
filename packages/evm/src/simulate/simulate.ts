// One run of a call, or of several calls of one account, with everything that a verdict uses. The capture of a witness and every replay call this function, so that a
// replay reads exactly the state that was captured.
import { encodeFunctionData, parseAbi } from "viem/utils";
import type { Hex } from "@countersign/wire";
import { readBalance, readDecimals } from "../effects/measure.ts";
import { callsOf } from "../engine/calls.ts";
import { makeMachine, type Machine, type MachineOptions } from "../engine/machine.ts";
import type { Scene } from "../engine/scene-type.ts";
import { NotExecutable } from "../engine/stop.ts";
import { perturb, type Perturbation } from "../perturb/perturb.ts";
import { readPrices, type Price } from "./feeds.ts";
import { listSafeCalls } from "./inner-calls.ts";
import { listMentions } from "./mentions.ts";
import { resolveNames, type ResolvedName } from "./names.ts";
import { readParties, readSymbols, type Party, type TokenClaim } from "./parties.ts";

export type Simulation = {
  /** The account that acts: the sender, or a Safe that the sender owns and makes execute something. */
  readonly account: Hex;
  /** Whether the account that has signed is the sender, or the sender names it as an owner. Null if no one has. */
  readonly isSigned: boolean | null;
  /** Balances of that account before the call: the tokens that the call names. */
  readonly held: readonly { readonly token: Hex; readonly amount: bigint }[];
  /**
   * Accounts whose balances of all named tokens are measured: the account, the sender, the accounts that the call names, and the called
   * contract if it is not a token.
   */
  readonly holders: readonly Hex[];
  /** The accounts in `holders` except the account itself, as they are before the call. */
  readonly parties: readonly Party[];
  /** The symbols that the tokens in `held`, and other tokens of the account that change, claim. */
  readonly symbols: readonly TokenClaim[];
  /** The names of the witness, as they resolve before the call. */
  readonly names: readonly ResolvedName[];
} & (
  | ({
      readonly kind: "ran";
      readonly prices: readonly Price[];
      /** Of the tokens of the sender that change, as each of them claims. A token that does not answer is not listed. */
      readonly decimals: readonly { readonly token: Hex; readonly decimals: number }[];
    } & Perturbation)
  /** No block can contain it. The text is the engine's. */
  | { readonly kind: "not executable"; readonly reason: string }
);

/** Simulates the call. Throws MissingState, MissingBlockHash, LimitExceeded, and what `checkBudget` throws. */
export async function simulate(scene: Scene, options: MachineOptions = {}): Promise<Simulation> {
  const before = await makeMachine(scene, { ...options, onRead: undefined });
  const { chainId, block } = scene;
  const names = await resolveNames(before, { chainId, names: scene.names, now: block.timestamp });
  const measured = await planMeasurement(scene, before);
  const plan = { ...measured, ...(await readClaims(measured, before)), names };
  const assets = plan.held.map(({ token }) => ({ kind: "erc20" as const, token }));
  try {
    // A contract that is only called is measured as a recipient, which says less than a holder.
    const isCalled = (address: Hex): boolean =>
      address !== plan.account && callsOf(scene).some(({ to, data }) => address === to && data !== "0x");
    const found = await perturb(scene, {
      ...options,
      holders: plan.holders.filter((holder) => !isCalled(holder)),
      owners: [plan.account],
      recipients: plan.holders.filter(isCalled),
      assets,
    });
    const moved = found.effects.balances
      .filter(({ holder }) => holder === plan.account)
      .flatMap(({ asset }) =>
        asset.kind === "native" ? ["native" as const] : asset.kind === "erc20" ? [asset.token] : [],
      );
    const prices = await readPrices(before, { chainId, assets: moved, now: block.timestamp });
    const tokens = moved.filter((asset) => asset !== "native");
    const decimals = await listDecimals(before, tokens);
    const isHeld = (token: Hex): boolean => plan.held.some((one) => one.token === token);
    const unnamed = await readSymbols(
      before,
      tokens.filter((token) => !isHeld(token)),
    );
    const symbols = [...plan.symbols, ...unnamed];
    return { kind: "ran", ...plan, ...found, prices, decimals, symbols };
  } catch (error) {
    if (!(error instanceof NotExecutable)) throw error;
    return { kind: "not executable", ...plan, reason: error.message };
  }
}

async function listDecimals(
  machine: Machine,
  tokens: readonly Hex[],
): Promise<readonly { readonly token: Hex; readonly decimals: number }[]> {
  const found: { token: Hex; decimals: number }[] = [];
  for (const token of tokens) {
    const decimals = await readDecimals(machine, token);
    if (decimals !== undefined) found.push({ token, decimals });
  }
  return found;
}

type Plan = Pick<Simulation, "account" | "isSigned" | "held" | "holders">;

const readClaims = async (
  { account, held, holders }: Plan,
  machine: Machine,
): Promise<Pick<Simulation, "parties" | "symbols">> => ({
  parties: await readParties(
    machine,
    holders.filter((holder) => holder !== account),
  ),
  symbols: await readSymbols(
    machine,
    held.map(({ token }) => token),
  ),
});

const safe = parseAbi(["function isOwner(address owner) view returns (bool)"]);

/** Returns the call for a Safe's answer whether this is one of its owners. */
export const ownerCall = (owner: Hex): Hex => encodeFunctionData({ abi: safe, args: [owner] });

type Called = { readonly to: Hex; readonly data: Hex };

/** Returns the addresses that calls with data name, and those that the calls of a Safe name. */
export const listNamed = (calls: readonly Called[]): readonly Hex[] => [
  ...new Set(
    calls
      .filter(({ data }) => data !== "0x")
      .flatMap((call) => [call, ...(listSafeCalls(call.data) ?? [])])
      .flatMap(({ to, data }) => [to, ...listMentions(data)]),
  ),
];

/** A Safe acts for its owner only if nothing else is called, so that no two accounts act. */
async function findAccount(scene: Scene, { view }: Machine): Promise<Hex> {
  const { call, following = [], signer } = scene;
  if (signer !== undefined || following.length > 0 || listSafeCalls(call.data) === null) return call.from;
  return (await isOwner(view, { safe: call.to, owner: call.from })) ? call.to : call.from;
}

async function isOwner(
  view: Machine["view"],
  { safe: at, owner }: { readonly safe: Hex; readonly owner: Hex },
): Promise<boolean> {
  const answer = await view(at, ownerCall(owner));
  return answer?.length === 66 && BigInt(answer) === 1n;
}

async function findSigned({ call, signer }: Scene, { view }: Machine): Promise<boolean | null> {
  if (signer === undefined) return null;
  return signer === call.from || isOwner(view, { safe: call.from, owner: signer });
}

/** Contracts that answer for the account's balance are tokens; all other named accounts may receive something. */
async function planMeasurement(scene: Scene, machine: Machine): Promise<Plan> {
  const { call, signer } = scene;
  const account = await findAccount(scene, machine);
  const isSigned = await findSigned(scene, machine);
  const own = [account, call.from, ...(signer === undefined ? [] : [signer])];
  const calls = callsOf(scene);
  const named = listNamed(calls).filter((address) => !own.includes(address));
  const held: { token: Hex; amount: bigint }[] = [];
  for (const token of named) {
    const amount = await readBalance(machine, { kind: "erc20", token }, account);
    if (amount !== undefined) held.push({ token, amount });
  }
  const isToken = (address: Hex): boolean => held.some(({ token }) => token === address);
  const paid = calls.filter(({ data }) => data === "0x").map(({ to }) => to);
  const others = [...paid, ...named.filter((address) => !isToken(address))];
  return { account, isSigned, held, holders: [...new Set([...own, ...others])] };
}
