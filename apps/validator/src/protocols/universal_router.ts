/** Uniswap's router for everything: a list of commands with their inputs. All deployments speak the same language, the first a part. */
import { decodeBlob } from "../bytes/decode.ts";
import { everything, exactly, native, token, type Asset } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft, type Read } from "../protocol.ts";
import type { Step } from "./shared/permit-steps.ts";
import { readCommands, type Dialect } from "./shared/router-commands.ts";
import { flow, lower, onChains, ZERO_ADDRESS } from "./shared/swap-draft.ts";
import {
  firstUniversalRouters,
  laterUniversalRouters,
  v3Positions,
  v4Positions,
} from "./shared/uniswap-addresses.ts";
import { CONTRACT_BALANCE, POOL_KEY } from "./shared/v4-plan.ts";

type Deposit = {
  readonly depositor: string;
  readonly recipient: string;
  readonly inputToken: string;
  readonly outputToken: string;
  readonly inputAmount: bigint;
  readonly outputAmount: bigint;
  readonly destinationChainId: bigint;
  readonly fillDeadline: number;
  readonly message: Hex;
  readonly useNative: boolean;
};

const DEPOSIT =
  "(address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message, bool useNative) params";

/** What arrives on the other chain where the bridge chooses the token. */
const arriving = (deposit: Deposit): Asset =>
  lower(deposit.outputToken) === ZERO_ADDRESS
    ? { kind: "unsaid", why: "the bridge's own choice of token on the other chain" }
    : token(lower(deposit.outputToken));

const bridge: Step = (input, call, at) => {
  const [deposit] = decodeBlob(DEPOSIT, input) as readonly [Deposit];
  const faults = [
    ...(deposit.message === "0x" ? [] : ["the bridge runs a message on the other chain"]),
    ...(call.isSelf?.(lower(deposit.depositor)) === false
      ? ["a deposit that is not filled is refunded to somebody else"]
      : []),
  ];
  const amount = deposit.inputAmount === CONTRACT_BALANCE ? everything : exactly(deposit.inputAmount);
  return {
    act: "bridge",
    payer: "venue",
    gives: [flow(deposit.useNative ? native : token(lower(deposit.inputToken)), amount, `${at}.inputAmount`)],
    gets: [flow(arriving(deposit), exactly(deposit.outputAmount), `${at}.outputAmount`)],
    receiver: lower(deposit.recipient),
    toChain: Number(deposit.destinationChainId),
    deadline: BigInt(deposit.fillDeadline),
    ...(faults.length > 0 ? { terms: { faults } } : {}),
    places: {
      receiver: `${at}.recipient`,
      minimum: `${at}.outputAmount`,
      toChain: `${at}.destinationChainId`,
    },
  };
};

const only = (at: Address | readonly Address[] | undefined): Address => {
  if (typeof at !== "string") throw new Error("the positions' contract is not known on this chain");
  return at;
};

/** The router calls the manager in its own name; the manager checks that the caller of the router may. */
const callManager =
  (managers: typeof v3Positions): Step =>
  (input, call, at): Read => ({
    calls: [{ to: only(managers[call.chain]), value: 0n, data: input, sender: call.sender, at }],
  });

const initialise: Step = (input) => {
  decodeBlob(`${POOL_KEY}, uint160 sqrtPriceX96`, input);
  return { act: "harmless" };
};

const later: Dialect = {
  later: true,
  more: {
    0x11: callManager(v3Positions),
    0x12: callManager(v3Positions),
    0x13: initialise,
    0x14: callManager(v4Positions),
    0x40: bridge,
  },
};
const first: Dialect = { later: false };

const run = (commands: Hex, inputs: readonly Hex[], call: CallView, deadline?: bigint): Read => {
  const dialect = call.role === "first_router" ? first : later;
  const { effects = [], calls = [] } = readCommands({ commands, inputs, at: "", depth: 0 }, dialect, call);
  if (deadline === undefined) return { effects, calls };
  // A permit keeps its own date: that of the signature, not of the call.
  const dated = (draft: Draft): Draft =>
    draft.deadline === undefined
      ? { ...draft, deadline, places: { ...draft.places, deadline: "deadline" } }
      : draft;
  return { effects: effects.map(dated), calls };
};

const routers = ["first_router", "router"];

export default defineProtocol({
  title: "Uniswap Universal Router",
  names: [
    "uniswap",
    "uni",
    "universal router",
    "uniswap universal router",
    "uniswap router",
    "universalrouter",
    "uniswap universalrouter",
  ],
  family: "uniswap",
  standsFor: ["uniswap_v2", "uniswap_v3", "uniswap_v4"],
  contracts: {
    first_router: firstUniversalRouters,
    router: laterUniversalRouters,
    proxy: onChains("0x02e5be68d46dac0b524905bff209cf47ee6db2a9", [1, 10, 56, 137, 8453, 42161]),
  },
  functions: [
    fn(
      "function execute(bytes commands, bytes[] inputs, uint256 deadline) payable",
      routers,
      ([commands, inputs, deadline], call) => run(commands, inputs, call, deadline),
    ),
    fn("function execute(bytes commands, bytes[] inputs) payable", routers, ([commands, inputs], call) =>
      run(commands, inputs, call),
    ),
    fn(
      "function executeSigned(bytes commands, bytes[] inputs, bytes32 intent, bytes32 data, bool verifySender, bytes32 nonce, bytes signature, uint256 deadline) payable",
      ["router"],
      ([commands, inputs, , , , , , deadline], call) => run(commands, inputs, call, deadline),
    ),
  ],
});
