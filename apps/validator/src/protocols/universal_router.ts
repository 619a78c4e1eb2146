/**
 * Uniswap's router for everything: a list of commands with their inputs. All deployments use one command set; the
 * first has a part of it.
 */
import { blob } from "../bytes/openings.ts";
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type CallView, type Draft, type Read } from "../protocol.ts";
import { feeds, feedsWhen, inert } from "../uses.ts";
import { step, type Step } from "./shared/permit-steps.ts";
import { newPool } from "./shared/pool-choices.ts";
import { bridge, checkFunding } from "./shared/router-bridge.ts";
import { callInput, firstDialect, laterDialect, planUses, readCommands } from "./shared/router-commands.ts";
import { onChains } from "./shared/swap-draft.ts";
import {
  firstUniversalRouters,
  laterUniversalRouters,
  v3Positions,
  v4Positions,
} from "./shared/uniswap-addresses.ts";
import { POOL_KEY } from "./shared/v4-plan.ts";

const only = (at: Address | readonly Address[] | undefined): Address => {
  if (typeof at !== "string") throw new Error("the position manager is not known on this chain");
  return at;
};

/** The router calls the manager in its own name. The manager checks that the router's caller may do so. */
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

/** The role of the contract selects the dialect. */
const uses = planUses(firstDialect, later);
const deadlineUse = feedsWhen("deadline", "a step has none of its own");

const run = (commands: Hex, inputs: readonly Hex[], call: CallView, deadline?: bigint): Read => {
  const dialect = call.role === "first_router" ? firstDialect : later;
  const { effects = [], calls = [] } = readCommands({ commands, inputs, at: "", depth: 0 }, dialect, call);
  checkFunding(effects, call);
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
        // Stored for hooks to read. Hooks are choices of their own.
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
