/** Positions of V4: liquidity is added and removed, and its fees collected. Swaps go through the universal router. */
import { defineProtocol, fn } from "../protocol.ts";
import { feeds, inert, openedBy } from "../uses.ts";
import { permitDraft, permitUses } from "./shared/permit-steps.ts";
import { newPool } from "./shared/pool-choices.ts";
import { multicallFunction } from "./shared/router-payments.ts";
import { v4Positions } from "./shared/uniswap-addresses.ts";
import { readV4Liquidity } from "./shared/v4-liquidity.ts";
import { POOL_KEY } from "./shared/v4-plan.ts";
import { actionsUse, paramsUse, unlockData } from "./shared/v4-position-actions.ts";

const here = ["positions"];
const DETAILS = "(address token, uint160 amount, uint48 expiration, uint48 nonce)";

export default defineProtocol({
  title: "Uniswap V4",
  names: ["uniswap", "uni", "uniswap v4", "uni v4", "univ4", "uniswapv4", "uniswap 4"],
  family: "uniswap",
  contracts: { positions: v4Positions },
  functions: [
    fn(
      "function modifyLiquidities(bytes unlockData, uint256 deadline) payable",
      here,
      { unlockData: openedBy(unlockData), deadline: feeds.deadline },
      ([data, deadline], call) => {
        const [actions, params] = call.open(unlockData, data, "unlockData");
        return readV4Liquidity(actions, params, call, "unlockData.").map((draft) => ({
          ...draft,
          deadline,
          places: { ...draft.places, deadline: "deadline" },
        }));
      },
    ),
    fn(
      "function modifyLiquiditiesWithoutUnlock(bytes actions, bytes[] params) payable",
      here,
      { actions: actionsUse, params: paramsUse },
      ([actions, params], call) => readV4Liquidity(actions, params, call, ""),
    ),
    fn(
      `function initializePool(${POOL_KEY}, uint160 sqrtPriceX96) payable`,
      here,
      { poolKey: feeds.choice, sqrtPriceX96: feeds.choice },
      ([key, price]) => newPool(key, price, ""),
    ),
    fn(
      `function permit(address owner, (${DETAILS} details, address spender, uint256 sigDeadline) permitSingle, bytes signature) payable`,
      here,
      { owner: feeds.payer, permitSingle: permitUses, signature: inert.signature },
      ([owner, { details, spender, sigDeadline }]) => ({
        ...permitDraft(details, spender, sigDeadline, "permitSingle"),
        payer: owner,
      }),
    ),
    fn(
      `function permitBatch(address owner, (${DETAILS}[] details, address spender, uint256 sigDeadline) permitBatch, bytes signature) payable`,
      here,
      { owner: feeds.payer, permitBatch: permitUses, signature: inert.signature },
      ([owner, { details, spender, sigDeadline }]) =>
        details.map((each, i) => ({
          ...permitDraft(each, spender, sigDeadline, `permitBatch.details[${i}]`),
          payer: owner,
        })),
    ),
    multicallFunction(here),
  ],
});
