// Incidents in which signers of a shared account saw one transaction and signed another.
import { MaxUint256, ZeroAddress, ZeroHash, id as keccakText, parseEther, parseUnits } from "ethers";
import { account, admin, erc20, safe } from "../recipes/abi.ts";
import { packMultiSend } from "../recipes/wrappers.ts";
import { tokenOf } from "../data/tokens.ts";
import type { Incident, ProposedTx, ValidateRequest } from "../types.ts";

export const NOW = 1_794_100_000;
export const ME = "0x5B38Da6a701c568545dCfcB03FcB875f56beddC4";

/** Returns a reproducible address for a party whose real address is not needed. */
export function party(name: string): string {
  return "0x" + keccakText(name).slice(26);
}

export function ask(intent: string, tx: ProposedTx, chain = 1, extra: object = {}): ValidateRequest {
  return {
    human_intent: intent,
    proposed_tx: tx,
    metadata: { from: ME, chain_id: chain, now: NOW, ...extra },
  };
}

const exec = (to: string, data: string, operation: number, safeTxGas = 0): string =>
  safe.encodeFunctionData("execTransaction", [
    to,
    0,
    data,
    operation,
    safeTxGas,
    0,
    0,
    ZeroAddress,
    ZeroAddress,
    "0x" + "1b".repeat(65),
  ]);

const ADMIN =
  "a:delegatecall_risk a:admin_takeover a:hidden_call i:amount_match i:recipient_match i:effect_coverage i:action_match i:asset_in_match t:decodability i:constraint_coverage t:selector_known";
const BYBIT_SAFE = "0x1Db92e2EeBC8E0c075a02BeA49a2935BcD2dFCF4";

export const MULTISIG_INCIDENTS: Incident[] = [
  {
    name: "bybit-2025",
    nodes: ADMIN,
    request: ask(
      "Send 30,000 ETH from the cold wallet to our hot wallet 0xf89d7b9c864f589bbF53a82105107622B35EaA40",
      {
        to: BYBIT_SAFE,
        value: "0",
        data: exec(
          "0x96221423681A6d52E184D440a8eFCEbB105C7242",
          erc20.encodeFunctionData("transfer", ["0xbdd077f651ebe7f7b3ce16fe5f2b025be2969516", 0]),
          1,
          45_746,
        ),
      },
    ),
  },
  {
    name: "wazirx-2024",
    nodes: ADMIN,
    request: ask(`Transfer 625,000 USDT to ${party("wazirx-hot")}`, {
      to: "0x27fD43BABfbe83a81d14665b1a6fB8030A60C9b4",
      value: "0",
      data: exec(party("wazirx-upgrader"), admin.encodeFunctionData("upgradeTo", [party("wazirx-impl")]), 1),
    }),
  },
  {
    name: "radiant-2024",
    nodes: ADMIN,
    request: ask(
      "Adjust the emissions schedule of the lending pool as agreed in the weekly call",
      {
        to: "0x111CEEee040739fD91D29C34C33E6B3E112F2177",
        value: "0",
        data: exec(
          party("radiant-pool-provider"),
          admin.encodeFunctionData("transferOwnership", ["0x57ba8957ed2ff2e7ae38f4935451e81ce1eefbf5"]),
          0,
        ),
      },
      42161,
    ),
  },
  {
    name: "dsproxy-set-owner-2024",
    nodes: ADMIN,
    request: ask("Withdraw 100 DAI from my Maker vault", {
      to: party("ds-proxy"),
      value: "0",
      data: admin.encodeFunctionData("setOwner", [party("0000db5c-41e70000")]),
    }),
  },
  {
    name: "eigenlayer-otc-2024",
    nodes: `${ADMIN} a:address_poisoning i:step_sequence`,
    request: eigenlayer(),
  },
  {
    name: "eip7702-batch-2025",
    nodes: `${ADMIN} a:delegation_7702 a:unlimited_approval i:spender_match`,
    request: ask("Swap 100 USDC for ETH on Uniswap", {
      to: ME,
      value: "0",
      data: account.encodeFunctionData("executeBatch", [
        [tokenOf(1, "USDC").address, tokenOf(1, "WETH").address],
        [0, 0],
        [
          erc20.encodeFunctionData("transfer", [party("sweeper"), parseUnits("99000", 6)]),
          erc20.encodeFunctionData("approve", [party("sweeper"), MaxUint256]),
        ],
      ]),
      authorizationList: [{ chainId: "1", address: party("sweeper-code"), nonce: "7" }],
    }),
  },
  {
    name: "eip7702-base-2025",
    nodes: `${ADMIN} a:delegation_7702`,
    request: ask(
      "Claim my airdrop",
      {
        to: ME,
        value: "0",
        data: account.encodeFunctionData("execute", [party("drain"), parseEther("1.2"), "0x"]),
        authorizationList: [{ chainId: "0", address: party("sweeper-code"), nonce: "0" }],
      },
      8453,
    ),
  },
  {
    name: "role-grant-hidden-in-multisend",
    nodes: ADMIN,
    request: ask(`Send 500 USDC to ${party("vendor")} from the Safe`, {
      to: party("team-safe"),
      value: "0",
      data: exec(
        "0x9641d764fc13c8B624c04430C7356C1C7C8102e2",
        packMultiSend(
          [
            {
              to: tokenOf(1, "USDC").address,
              value: 0n,
              data: erc20.encodeFunctionData("transfer", [party("vendor"), parseUnits("500", 6)]),
            },
            {
              to: party("vault"),
              value: 0n,
              data: admin.encodeFunctionData("grantRole", [ZeroHash, party("insider")]),
            },
          ],
          () => 0,
        ),
        1,
      ),
    }),
  },
];

function eigenlayer(): ValidateRequest {
  const investors = Array.from({ length: 12 }, (_, i) => party(`investor-${i}`));
  const words = investors.map((a) => `100 UNI to ${a}`).join(", ");
  const uni = tokenOf(1, "UNI").address;
  const transactions = investors.map((a, i) => ({
    to: uni,
    value: "0",
    data: erc20.encodeFunctionData("transfer", [i === 7 ? party("otc-thief") : a, parseUnits("100", 18)]),
  }));
  return ask(`Send ${words}`, { transactions });
}
