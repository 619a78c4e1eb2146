/** Everyday wording: weak verbs, talk around the request, politeness, notes without a verb. */
import { describe, expect, test } from "vitest";
import { A, B, summary } from "../../test/words.ts";

const fill = (text: string): string => text.replaceAll("{A}", A).replaceAll("{B}", B);

const check = (name: string, rows: readonly (readonly [string, string])[]): void => {
  describe(name, () => {
    test.each(rows.map(([text, wanted]) => [fill(text), wanted] as const))("%s", (text, wanted) => {
      expect(summary(text)).toBe(wanted);
    });
  });
};

check("a weak verb gets its meaning from its context", [
  ["{A} should receive 40 DAI", "transfer · give 40 DAI · to 0x11"],
  ["could {A} get 3 WETH from me?", "transfer · give 3 WETH · to 0x11"],
  [
    "bonuses: {A} gets 15 USDC, {B} gets 2 WETH",
    "transfer · give 15 USDC · to 0x11 ; transfer · give 2 WETH · to 0x22",
  ],
  ["gotta get 0.3 ETH over to bob.eth", "transfer · give 0.3 ETH · to bob.eth"],
  ["Let {A} have 20 DAI", "transfer · give 20 DAI · to 0x11"],
  ["7 USDC goes to {A}", "transfer/bridge/swap/supply · give 7 USDC · to 0x11"],
  [
    "cash out 300 USDC from Aave",
    "withdraw/unstake/remove_liquidity/claim/transfer · get 300 USDC · venue aave_v3",
  ],
  [
    "bring 20 USDC home from Compound",
    "withdraw/unstake/remove_liquidity/claim/bridge · get 20 USDC · venue compound",
  ],
  ["get rid of 400 DAI, I want WBTC instead", "swap/transfer · give 400 DAI · get WBTC"],
  [
    "sell 2 ETH, I want USDC back, I want at least 5000 USDC",
    "swap/sell_nft · give 2 ETH · get least-5000 USDC",
  ],
  [
    "need LINK. use 0.4 ETH on Uniswap",
    "swap/withdraw/borrow/claim/buy_nft/mint/unstake/remove_liquidity/bridge · give 0.4 ETH · get LINK · venue uniswap",
  ],
  [
    "I need exactly 2 WETH; use at most 6000 DAI",
    "swap/withdraw/borrow/claim/buy_nft/mint/unstake/remove_liquidity/bridge · give most-6000 DAI · get 2 WETH",
  ],
  ["My portfolio needs more DAI. Please use 30 UNI to buy it", "swap/buy_nft · give 30 UNI · get DAI"],
  ["I need WETH: wrap 3 ETH", "wrap · give 3 ETH · get WETH"],
  ["I need 20 USDC on Optimism, bridge it with Across", "bridge · give 20 USDC · venue across · toChain 10"],
  ["go from 10 AAVE to WETH", "swap/bridge/wrap/unwrap · give 10 AAVE · get WETH"],
  [
    "Take 50 USDC from Arbitrum over to Base",
    "bridge/withdraw/unstake/unwrap/remove_liquidity/transfer · give 50 USDC · chain 42161 · toChain 8453",
  ],
  ["settle 30 USDC of my borrow on Aave", "repay · give 30 USDC · venue aave_v3"],
  ["pay back 90 DAI to {A}", "transfer/repay · give 90 DAI · to 0x11"],
  ["pay back 90 DAI on Aave", "repay · give 90 DAI · venue aave_v3"],
  [
    "top up my Compound position with 80 USDC",
    "supply/stake/add_liquidity/transfer · give 80 USDC · venue compound",
  ],
  ["add 90 DAI as collateral on Aave", "supply/add_liquidity/stake · give 90 DAI · venue aave_v3"],
  ["start earning on 60 USDC using Aave", "supply/stake · give 60 USDC · venue aave_v3"],
  [
    "swap 1 WETH into DAI on Uniswap, then 500 DAI to {A}",
    "swap · give 1 WETH · get DAI · venue uniswap ; transfer · give 500 DAI · to 0x11",
  ],
]);

check("talk around a request asks for nothing", [
  [
    "The builder finished the roof. Send 40 DAI to {A}. He asked for it this morning.",
    "transfer · give 40 DAI · to 0x11",
  ],
  ["Markets look shaky so I would rather hold WETH. Swap 50 USDC for WETH", "swap · give 50 USDC · get WETH"],
  ["Quick one: supply 2 WETH to Aave. No rush.", "supply · give 2 WETH · venue aave_v3"],
  [
    "Next thing on my list: deposit 30 DAI into Aave",
    "supply/stake/wrap/add_liquidity/bridge/transfer · give 30 DAI · venue aave_v3",
  ],
  ["swap 3 ETH for USDC and tell me when it is done", "swap · give 3 ETH · get USDC"],
  ["swap 20 USDC into WETH and leave the rest alone", "swap · give 20 USDC · get WETH"],
  [
    "Settle the contributors: 1 ETH to {A} and 2 ETH to {B}. No other transfers.",
    "transfer · give 1 ETH · to 0x11 ; transfer · give 2 ETH · to 0x22 ; NOT other",
  ],
  [
    "I need to pay someone: swap 1 WETH for USDC and send 70 USDC to {A}",
    "swap · give 1 WETH · get USDC ; transfer · give 70 USDC · to 0x11",
  ],
  ["I keep forgetting this every month lol. Send 5 DAI to {A}", "transfer · give 5 DAI · to 0x11"],
  ["send 5 DAI to {A}, we split the cab", "transfer · give 5 DAI · to 0x11"],
  ["Can you send 5 DAI to {A}? Let me know once it is confirmed.", "transfer · give 5 DAI · to 0x11"],
  ["hola! oh wait, english. 25 USDC to {A}", "transfer · give 25 USDC · to 0x11"],
  [
    "send 50 USDC, no wait, 60 USDC to {A}",
    "transfer · give 50 USDC + 60 USDC · to 0x11 ; DOUBT no wait ; LOOSE no wait",
  ],
]);

check("politeness is no condition, and a condition stays one", [
  ["when you get a second, send 5 USDC to {A}", "transfer · give 5 USDC · to 0x11"],
  ["once you are ready send 5 USDC to {A}", "transfer · give 5 USDC · to 0x11"],
  ["send 5 USDC to {A} if he confirms the invoice", "transfer · give 5 USDC · to 0x11 · if other"],
  ["send 5 USDC to {A} only after Friday", "transfer · give 5 USDC · to 0x11 · if other"],
  ["Swap 1 ETH for USDC. Don't use Uniswap", "swap · give 1 ETH · get USDC · venue !uniswap ; NOT venue"],
  [
    "I don't want partial fills, swap 1 ETH for USDC",
    "swap · give 1 ETH · get USDC · partial false ; NOT partial_fill",
  ],
  ["if it is possible, wrap 2 ETH", "wrap · give 2 ETH"],
  ["if ETH drops below 2000 send 5 USDC to {A}", "transfer · give 5 USDC · to 0x11 · if other"],
  ["send 5 USDC to {A} once the vote passes", "transfer · give 5 USDC · to 0x11 · if other"],
  ["wrap 2 ETH when gas is below 10 gwei", "wrap · give 2 ETH · gas maxFeeGwei · if gas"],
  ["swap 40 LINK for USDC but only if ETH is above 4500", "swap · give 40 LINK · get USDC · if other"],
  [
    "buy ETH with 4000 USDC if ETH drops under 1800",
    "swap/buy_nft · give 4000 USDC · get ETH · price most 1800 ?/ETH · if price",
  ],
  [
    "sell 1 ETH for USDC if ETH is above 4000",
    "swap/sell_nft · give 1 ETH · get USDC · price least 4000 ?/ETH · if price",
  ],
  [
    "I'd sell 200 USDC if I get at least 0.09 WETH for it",
    "swap/sell_nft · give 200 USDC · get least-0.09 WETH",
  ],
  ["approve {A} to pull 50 USDC once via Permit2", "approve · give 50 USDC · spender 0x11"],
]);

check("a request needs no verb", [
  ["250 USDC to WETH through CoW Swap", "swap/wrap/unwrap · give 250 USDC · get WETH · venue cow"],
  ["0.2 ETH -> WETH on Base", "wrap/swap/unwrap · give 0.2 ETH · get WETH · chain 8453"],
  ["600 ARB -> WETH", "swap/wrap/unwrap · give 600 ARB · get WETH"],
  ["90 USDC → Arbitrum (Across)", "bridge · give 90 USDC · venue across · toChain 42161"],
  [
    "1) 20 USDC -> bob.eth\n2) 30 USDC -> {A}",
    "transfer · give 20 USDC · to bob.eth ; transfer · give 30 USDC · to 0x11",
  ],
  ["spender: uniswap\ntoken: WETH\namount: 0.05", "approve · give 0.05 WETH · spender @uniswap"],
  ["token_in=ETH amount=2 token_out=UNI", "swap/wrap/unwrap · give 2 ETH · get UNI"],
  ["80 USDC into Compound", "supply/stake/add_liquidity/wrap · give 80 USDC · venue compound"],
]);

check("a deadline may be one hour", [
  ["swap 1 ETH for USDC, deadline an hour", "swap · give 1 ETH · get USDC · deadline 3600s"],
  ["swap 1 ETH for USDC. It must execute within an hour", "swap · give 1 ETH · get USDC · deadline 3600s"],
  ["sell 1 ETH for USDC, good for a day", "swap/sell_nft · give 1 ETH · get USDC · deadline 86400s"],
]);

check("permissions, votes and code are told apart", [
  ["authorize a transfer of 64 USDC to {A}", "transfer · give 64 USDC · to 0x11"],
  ["sign a Permit2 transfer letting {A} take 15 USDC", "approve/transfer · give 15 USDC · spender 0x11"],
  ["enable {A} to spend 12 USDC", "approve · give 12 USDC · spender 0x11"],
  ["I'd like Uniswap to be able to spend 15 CRV", "approve · give 15 CRV · spender @uniswap"],
  ["Stop {A} from being able to spend USDT", "revoke · give USDT · spender 0x11"],
  ["I don't trust {A} anymore, revoke its WETH approval", "revoke · give WETH · spender 0x11"],
  ["un-approve 1inch for DAI", "revoke · give DAI · spender @one_inch"],
  ["Give my UNI voting rights to {A}", "delegate · give UNI · to 0x11"],
  ["i'd like to hand my ENS voting power over to {A}", "delegate · give ENS · to 0x11"],
  ["I want {A} to vote with my UNI", "delegate · give UNI · to 0x11"],
  ["assign my COMP votes to {A}", "delegate · give COMP · to 0x11"],
  ["Upgrade my EOA to a smart account using EIP-7702, delegate {A}", "admin · admin delegate_code 0x11"],
  ["authorize {A} as the EIP-7702 delegate", "admin · admin delegate_code 0x11"],
  ["clear the 7702 delegation on my wallet", "admin · admin revoke_delegation"],
  ["revoke the EIP-7702 delegation of my account", "admin · admin revoke_delegation"],
]);
