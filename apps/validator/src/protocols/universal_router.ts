/** Uniswap's router for everything: a list of commands with their inputs. All deployments speak the same language, the first a part. */
import { blob } from "../bytes/openings.ts";
import { everything, exactly, native, token, type Asset } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft, type Read } from "../protocol.ts";
import { feeds, feedsWhen, inert } from "../uses.ts";
import { step, type Step } from "./shared/permit-steps.ts";
import { newPool } from "./shared/pool-choices.ts";
import { callInput, firstDialect, laterDialect, planUses, readCommands } from "./shared/router-commands.ts";
import { flow, lower, onChains, ZERO_ADDRESS } from "./shared/swap-draft.ts";
import {
  firstUniversalRouters,
  laterUniversalRouters,
  v3Positions,
  v4Positions,
} from "./shared/uniswap-addresses.ts";
import { CONTRACT_BALANCE, POOL_KEY } from "./shared/v4-plan.ts";

const deposit = blob(
  "(address depositor, address recipient, address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 destinationChainId, address exclusiveRelayer, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes message, bool useNative) params",
  {
    params: {
      depositor: feeds.choice,
      recipient: feeds.receiver,
      inputToken: feedsWhen("asset", "the coin itself is not bridged"),
      outputToken: feeds.asset,
      inputAmount: feedsWhen("amount", "it is not more than the router holds"),
      outputAmount: feeds.minimum,
      destinationChainId: feeds.toChain,
      exclusiveRelayer: inert.restricts,
      quoteTimestamp: inert.hint,
      fillDeadline: feedsWhen("deadline", "the call has none that is earlier"),
      exclusivityDeadline: inert.restricts,
      message: feedsWhen("choice", "it is not empty"),
      useNative: feeds.asset,
    },
  },
);

/** What arrives on the other chain where the bridge chooses the token. */
const arriving = (outputToken: string): Asset =>
  lower(outputToken) === ZERO_ADDRESS
    ? { kind: "unsaid", why: "the bridge's own choice of token on the other chain" }
    : token(lower(outputToken));

const bridge = step(deposit, ([sent], _call, at) => {
  const amount = sent.inputAmount === CONTRACT_BALANCE ? everything : exactly(sent.inputAmount);
  const place = `${at}.params`;
  if (sent.inputAmount === 0n) throw new Error("nothing is bridged");
  return {
    act: "bridge",
    payer: "venue",
    gives: [flow(sent.useNative ? native : token(lower(sent.inputToken)), amount, `${place}.inputAmount`)],
    gets: [flow(arriving(sent.outputToken), exactly(sent.outputAmount), `${place}.outputAmount`)],
    receiver: lower(sent.recipient),
    toChain: Number(sent.destinationChainId),
    deadline: BigInt(sent.fillDeadline),
    choices: [
      // A deposit that is not filled goes back to the depositor.
      { what: "refund_receiver", value: lower(sent.depositor), at: `${place}.depositor`, roles: [] },
      ...(sent.message === "0x"
        ? []
        : [{ what: "code" as const, value: sent.message, at: `${place}.message` }]),
    ],
    places: {
      receiver: `${place}.recipient`,
      minimum: `${place}.outputAmount`,
      toChain: `${place}.destinationChainId`,
    },
  };
});

const only = (at: Address | readonly Address[] | undefined): Address => {
  if (typeof at !== "string") throw new Error("the positions' contract is not known on this chain");
  return at;
};

/** The router calls the manager in its own name; the manager checks that the caller of the router may. */
const callManager = (managers: typeof v3Positions): Step =>
  step(callInput, ({ head }, call, at) => ({
    calls: [
      {
        to: only(managers[call.chain]),
        value: 0n,
        data: head["call"] ?? "0x",
        sender: call.sender,
        at: `${at}.call`,
      },
    ],
  }));

const initialise = step(
  blob(`${POOL_KEY}, uint160 sqrtPriceX96` as const, {
    poolKey: feeds.choice,
    sqrtPriceX96: feeds.choice,
  }),
  ([key, price], _call, at) => newPool(key, price, `${at}.`),
);

const later = laterDialect({
  0x11: callManager(v3Positions),
  0x12: callManager(v3Positions),
  0x13: initialise,
  0x14: callManager(v4Positions),
  0x40: bridge,
});

/** Which of the two is spoken, the contract's role decides. */
const uses = planUses(firstDialect, later);
const deadlineUse = feedsWhen("deadline", "a step has none of its own");

/** What a swap yields is not known: a bridge that takes a fixed sum of it leaves the rest to the next caller of the router. */
const leavesOutput = (effects: readonly Draft[]): boolean =>
  effects.some(({ act }) => act === "swap") &&
  effects.some(
    ({ act, gives = [] }) => act === "bridge" && gives.some(({ amount }) => amount.everything !== true),
  );

const run = (commands: Hex, inputs: readonly Hex[], call: CallView, deadline?: bigint): Read => {
  const dialect = call.role === "first_router" ? firstDialect : later;
  const { effects = [], calls = [] } = readCommands({ commands, inputs, at: "", depth: 0 }, dialect, call);
  if (leavesOutput(effects)) throw new Error("the bridge takes a fixed part of what a swap yields");
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
      { ...uses, deadline: deadlineUse },
      ([commands, inputs, deadline], call) => run(commands, inputs, call, deadline),
    ),
    fn(
      "function execute(bytes commands, bytes[] inputs) payable",
      routers,
      uses,
      ([commands, inputs], call) => run(commands, inputs, call),
    ),
    fn(
      "function executeSigned(bytes commands, bytes[] inputs, bytes32 intent, bytes32 data, bool verifySender, bytes32 nonce, bytes signature, uint256 deadline) payable",
      ["router"],
      {
        ...uses,
        // The router keeps both for the hooks of the pools to read.
        intent: inert.label,
        data: inert.label,
        verifySender: inert.signature,
        nonce: inert.replay,
        signature: inert.signature,
        deadline: deadlineUse,
      },
      ([commands, inputs, , , , , , deadline], call) => run(commands, inputs, call, deadline),
    ),
  ],
});
