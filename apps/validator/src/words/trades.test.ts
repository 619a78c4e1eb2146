/** Trades, lending, staking, liquidity, bridging. `{A}`, `{B}`, `{C}` stand for addresses. */
import { describe, expect, test } from "vitest";
import { A, B, C, summary } from "../../test/words.ts";

const sentences: readonly (readonly [string, string])[] = [
  ["Swap 1 ETH for USDC on Uniswap V3", "swap · give 1 ETH · get USDC · venue uniswap_v3"],
  [
    "swap 1 ETH for at least 2500 USDC with 0.5% slippage within 20 minutes",
    "swap · give 1 ETH · get least-2500 USDC · slippage 50 · deadline 1200s",
  ],
  ["swap USDC for exactly 1 ETH", "swap · give USDC · get 1 ETH"],
  ["spend up to 0.5 ETH on LINK", "swap · give most-0.5 ETH · get LINK"],
  ["turn 1 ETH into USDC", "swap/wrap/unwrap · give 1 ETH · get USDC"],
  ["supply 100 USDC to Aave", "supply · give 100 USDC · venue aave_v3"],
  [
    "deposit 0.5 ETH into Rocket Pool",
    "supply/stake/wrap/add_liquidity/bridge/transfer · give 0.5 ETH · venue rocket_pool",
  ],
  [
    "withdraw 100 USDC from Aave",
    "withdraw/unstake/unwrap/remove_liquidity/transfer · get 100 USDC · venue aave_v3",
  ],
  [
    "withdraw all my USDC from Compound",
    "withdraw/unstake/unwrap/remove_liquidity/transfer · get all USDC · venue compound",
  ],
  ["borrow 500 DAI from Aave against my ETH", "borrow · get 500 DAI · venue aave_v3"],
  ["repay my 200 USDC loan on Aave", "repay · give 200 USDC · venue aave_v3"],
  ["repay all of my DAI debt on Aave", "repay · give all DAI · venue aave_v3"],
  ["stake 2 ETH with Lido", "stake/supply · give 2 ETH · venue lido"],
  ["unwrap 1 WETH", "unwrap · give 1 WETH"],
  ["wrap 0.5 eth", "wrap · give 0.5 ETH"],
  ["bridge 100 USDC from Arbitrum to Base", "bridge · give 100 USDC · chain 42161 · toChain 8453"],
  ["bridge 1 ETH to Optimism via Across", "bridge · give 1 ETH · venue across · toChain 10"],
  ["claim my UNI rewards", "claim · get UNI"],
  ["wrap 1 ETH and swap it for USDC", "wrap · give 1 ETH ; swap · give ETH · get USDC"],
  [
    "swap 1 ETH for USDC and send it to bob.eth",
    "swap · give 1 ETH · get USDC ; transfer · give USDC · to bob.eth",
  ],
  ["ape 1 ETH into PEPE", "swap · give 1 ETH · get PEPE"],
  ["dump my UNI for ETH", "swap · give UNI · get ETH"],
  ["swap $500 worth of ETH for USDC", "swap · give USD500 ETH · get USDC"],
  ['{"action":"swap","tokenIn":"ETH","tokenOut":"USDC","amountIn":"1.5"}', "swap · give 1.5 ETH · get USDC"],
  ["1 eth -> usdc", "swap/wrap/unwrap · give 1 ETH · get USDC"],
  ["swap 1 ETH for USDC, don't touch my DAI", "swap · give 1 ETH · get USDC ; NOT asset"],
  [
    "1. Swap 1 ETH for USDC\n2. Send 100 USDC to {A}",
    "swap · give 1 ETH · get USDC ; transfer · give 100 USDC · to 0x11",
  ],
  [
    "make a deposit of 1000 USDC into Aave v3",
    "supply/stake/wrap/add_liquidity/bridge/transfer · give 1000 USDC · venue aave_v3",
  ],
  ["do a swap of 1 ETH to USDC", "swap · give 1 ETH · get USDC"],
  [
    "take 100 USDC out of Aave",
    "withdraw/unstake/unwrap/remove_liquidity/transfer · get 100 USDC · venue aave_v3",
  ],
  ["pay my USDC loan off on Aave", "repay · give USDC · venue aave_v3"],
  [
    "Move 100 USDC from Arbitrum to Base",
    "bridge/transfer/supply/stake/swap/withdraw · give 100 USDC · chain 42161 · toChain 8453",
  ],
  ["send 100 USDC to Base", "bridge/transfer · give 100 USDC · toChain 8453"],
  [
    "Swap 1 ETH to USDC, then send 500 USDC to {A} and finally bridge the rest to Base",
    "swap · give 1 ETH · get USDC ; transfer · give 500 USDC · to 0x11 ; bridge · give all USDC · toChain 8453",
  ],
  ["Swap 1 ETH for USDC and 2 ETH for DAI", "swap · give 1 ETH · get USDC ; swap · give 2 ETH · get DAI"],
  [
    "withdraw 2 ETH from Aave to {A}",
    "withdraw/unstake/unwrap/remove_liquidity/transfer · get 2 ETH · to 0x11 · venue aave_v3",
  ],
  ["supply 100 USDC to Aave on behalf of {A}", "supply · give 100 USDC · behalf 0x11 · venue aave_v3"],
  ["swap 100 USDC for ETH and send to {A}", "swap · give 100 USDC · get ETH ; transfer · give ETH · to 0x11"],
  ["swap 100 USDC to ETH, recipient {A}", "swap · give 100 USDC · get ETH · to 0x11"],
  [
    "never approve more than needed. Swap 1 ETH for USDC without unlimited approval",
    "swap · give 1 ETH · get USDC ; NOT unlimited_approval unlimited_approval",
  ],
  ["swap 1 ETH for USDC with gas under 20 gwei", "swap · give 1 ETH · get USDC · gas maxFeeGwei"],
  ["swap 1 ETH for USDC, spend no more than 0.01 ETH on gas", "swap · give 1 ETH · get USDC · gas maxCost"],
  ["swap 1 ETH for USDC, gas limit 200000", "swap · give 1 ETH · get USDC · gas maxLimit"],
  ["swap ETH -> USDC 2 ETH", "swap · give 2 ETH · get USDC"],
  ["swap 0.5 ETH => DAI via 1inch", "swap · give 0.5 ETH · get DAI · venue one_inch"],
  [
    "add liquidity with 1 ETH and 2500 USDC on Uniswap",
    "add_liquidity · give 1 ETH + 2500 USDC · venue uniswap",
  ],
  [
    "remove all my liquidity from the ETH/USDC pool on Uniswap",
    "remove_liquidity · get ETH + USDC · venue uniswap",
  ],
  ["claim my staking rewards from Lido", "claim · get <rewards> · venue lido"],
  ["restake 5 stETH on EigenLayer", "stake/supply · give 5 STETH · venue eigenlayer"],
  ["request withdrawal of 3 stETH from Lido", "unstake/withdraw · give 3 STETH · venue lido"],
  ["redeem 10 rETH", "withdraw/unstake/unwrap/remove_liquidity/claim · give 10 RETH"],
  ["exchange 100 DAI with USDC on Curve", "swap/wrap/unwrap · give 100 DAI · get USDC · venue curve"],
  ["swap 1 ETH for USDC before 18:00 UTC", "swap · give 1 ETH · get USDC ; LOOSE before 18"],
  ["swap 1 ETH for USDC before 2026-12-31T00:00:00Z", "swap · give 1 ETH · get USDC · deadline @1798675200"],
  [
    "Swap 1 ETH for USDC. Minimum received: 2400 USDC. Use Uniswap V3. Slippage 1%.",
    "swap · give 1 ETH · get least-2400 USDC · venue uniswap_v3 · slippage 100",
  ],
  [
    "- Action: bridge\n- Amount: 100\n- Token: USDC\n- From chain: Base\n- To chain: Arbitrum",
    "bridge · give 100 USDC · chain 8453 · toChain 42161",
  ],
  [
    "Could you swap half my stETH into USDC on Curve w/ max 1% slippage? thanks!",
    "swap · give 5000bps-of-balance STETH · get USDC · venue curve · slippage 100",
  ],
  [
    "stake all of my ETH except 0.5 ETH with Rocket Pool",
    "stake/supply · give all-but-0.5 ETH · venue rocket_pool",
  ],
  ["swap my UNI for AAVE", "swap · give UNI · get AAVE"],
  ["deposit AAVE into Aave", "supply/stake/wrap/add_liquidity/bridge/transfer · give AAVE · venue aave_v3"],
  ["swap 10 LINK for OP on Optimism", "swap · give 10 LINK · get OP · chain 10"],
  ["bridge my OP to Base", "bridge · give OP · toChain 8453"],
  ["swap eth for link, 0.5 eth", "swap · give 0.5 ETH · get LINK"],
  ["Convert 3 WETH to ETH", "unwrap/swap/wrap · give 3 WETH · get ETH"],
  ["swap 1 eth to weth", "wrap/swap · give 1 ETH · get WETH"],
  ["unstake my 5 rETH from rocket pool", "unstake/withdraw · give 5 RETH · venue rocket_pool"],
  ["lend 100 dai on compound", "supply · give 100 DAI · venue compound"],
  [
    "borrow 50 USDC on Aave and send it to bob.eth",
    "borrow · get 50 USDC · venue aave_v3 ; transfer · give USDC · to bob.eth",
  ],
  [
    "send 0.5 ETH from Base to {A} on Arbitrum",
    "bridge/transfer · give 0.5 ETH · to 0x11 · chain 8453 · toChain 42161",
  ],
  ["Swap 1k USDC for ETH with slippage of at most 50 bps", "swap · give 1000 USDC · get ETH · slippage 50"],
  [
    "swap 2 ETH to USDC with max slippage 0.3% and a deadline of 15 minutes on Base",
    "swap · give 2 ETH · get USDC · chain 8453 · slippage 30 · deadline 900s",
  ],
  [
    "Deposit $250 worth of USDC into Compound",
    "supply/stake/wrap/add_liquidity/bridge/transfer · give USD250 USDC · venue compound",
  ],
  ["lock 100 CRV on Curve", "supply/stake/add_liquidity/transfer/swap · give 100 CRV · venue curve"],
  ["zap 1 ETH into Yearn", "supply/stake/add_liquidity/transfer/swap · give 1 ETH · venue yearn"],
  [
    "swap 5 ETH for wstETH and supply it to Aave",
    "swap · give 5 ETH · get WSTETH ; supply · give WSTETH · venue aave_v3",
  ],
  ["unwrap 2 WETH then send 2 ETH to {A}", "unwrap · give 2 WETH ; transfer · give 2 ETH · to 0x11"],
  [
    "Withdraw my USDC from Morpho and move it to Compound",
    "withdraw/unstake/unwrap/remove_liquidity/transfer · get USDC · venue morpho ; supply/stake/add_liquidity/transfer/bridge/swap/withdraw · give USDC · venue compound",
  ],
  ["Bridge 200 USDC to Polygon for {A}", "bridge · give 200 USDC · behalf 0x11 · toChain 137"],
  ["bridge eth from op to base, 0.3 eth", "bridge · give 0.3 ETH · chain 10 · toChain 8453"],
  ["Swap 1 ETH for USDC, I must receive at least 2,450 USDC", "swap · give 1 ETH · get least-2450 USDC"],
  ["swap 3 ETH for a minimum of 7,200.50 USDC", "swap · give 3 ETH · get least-7200.5 USDC"],
  [
    "use Across to bridge 20 USDC from Base to Optimism",
    "bridge · give 20 USDC · venue across · chain 8453 · toChain 10",
  ],
  ["Let's swap 0.1 BTC to ETH", "swap · give 0.1 BTC · get ETH"],
  ["Swap 1.000 USDC for ETH", "swap · give 1|1000 USDC · get ETH"],
  ["Swpa 1 ETH for USDC", "swap · give 1 ETH · get USDC"],
  [
    "Would you mind swapping 350 USDT into ETH for me through Uniswap?",
    "swap · give 350 USDT · get ETH · venue uniswap",
  ],
  ["Trade all of my PEPE for WETH", "swap · give all PEPE · get WETH"],
  ["Market sell 0.75 WBTC for USDC, min 45000 USDC out", "swap · give 0.75 WBTC · get least-45000 USDC"],
  [
    "Exchange 2.5 stETH for ETH on Curve with no more than 30 bps slippage",
    "swap/wrap/unwrap · give 2.5 STETH · get ETH · venue curve · slippage 30",
  ],
  ["swap 800 DAI → USDC, deadline 10 minutes", "swap · give 800 DAI · get USDC · deadline 600s"],
  [
    "Flip my 3 ETH into DAI, then lend the DAI on Aave",
    "swap/wrap/unwrap · give 3 ETH · get DAI ; supply · give DAI · venue aave_v3",
  ],
  [
    "Put 2,000 USDC to work in Aave V3 on Base",
    "supply/stake/wrap/add_liquidity/bridge/transfer · give 2000 USDC · venue aave_v3 · chain 8453",
  ],
  [
    "Supply 0.8 WBTC as collateral to Aave and borrow 10k USDC against it",
    "supply · give 0.8 WBTC · venue aave_v3 ; borrow · get 10000 USDC",
  ],
  ["Pay back 350 USDC of my Compound debt", "repay · give 350 USDC · venue compound"],
  ["Repay my entire GHO loan", "repay · give all GHO"],
  [
    "Take 0.5 ETH of collateral out of Aave",
    "withdraw/unstake/unwrap/remove_liquidity/transfer · get 0.5 ETH · venue aave_v3",
  ],
  ["Stake 32 ETH through Rocket Pool for rETH", "stake/supply · give 32 ETH · get RETH · venue rocket_pool"],
  [
    "I'd like to liquid stake 4 ETH with Lido and receive stETH",
    "stake/supply · give 4 ETH · get STETH · venue lido",
  ],
  ["Unstake everything from Lido", "unstake/withdraw · give all ? · venue lido"],
  ["Wrap 12 stETH into wstETH", "wrap · give 12 STETH · get WSTETH"],
  ["Unwrap all my WETH", "unwrap · give all WETH"],
  [
    "Move my 500 USDC off Polygon and onto Base using Across",
    "bridge/transfer/supply/stake/swap/withdraw · give 500 USDC · venue across · chain 137 · toChain 8453",
  ],
  [
    "Provide 0.5 ETH + 1200 USDC as liquidity to Uniswap v3 0.3% pool",
    "add_liquidity/supply · give 0.5 ETH + 1200 USDC · venue uniswap_v3",
  ],
  [
    "Withdraw half my liquidity from the WETH/DAI pool on Sushiswap",
    "withdraw/unstake/unwrap/remove_liquidity/transfer · get 5000bps-of-position <position> + WETH + DAI · venue sushiswap",
  ],
  [
    "Swap 1 ETH to DAI and send half of it to {A}",
    "swap · give 1 ETH · get DAI ; transfer · give 5000bps-of-balance DAI · to 0x11",
  ],
  ["Swap 400 USDC to ETH but avoid 1inch", "swap · give 400 USDC · get ETH · venue !one_inch ; NOT venue"],
  ["Claim the ARB airdrop", "claim · get ARB"],
];

describe("trades, loans, stakes and bridges are read as they were meant", () => {
  test.each(sentences)("%s", (sentence, read) => {
    expect(summary(sentence.replaceAll("{A}", A).replaceAll("{B}", B).replaceAll("{C}", C))).toBe(read);
  });
});
