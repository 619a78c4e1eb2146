/** Approvals, revocations, delegation, ownership. `{A}`, `{B}`, `{C}` stand for addresses. */
import { describe, expect, test } from "vitest";
import { A, B, C, summary } from "../../test/words.ts";

const sentences: readonly (readonly [string, string])[] = [
  ["Approve Uniswap to spend 100 USDC", "approve · give 100 USDC · spender @uniswap"],
  ["let {A} spend up to 50 DAI", "approve · give most-50 DAI · spender 0x11"],
  ["revoke {A}'s access to my USDC", "revoke · give USDC · spender 0x11"],
  ["cancel approval of USDC for {A}", "revoke · give USDC · spender 0x11"],
  ["delegate my voting power to {A}", "delegate/stake · to 0x11"],
  [
    "approve and supply 100 USDC to Aave",
    "approve · give 100 USDC · spender @aave_v3 ; supply · give 100 USDC · venue aave_v3",
  ],
  ["add {A} as an owner of my Safe with threshold 2", "admin · admin add_owner 0x11"],
  ["transfer ownership of {A} to {B}", "admin · from 0x11 · admin transfer_ownership 0x22"],
  ["grant MINTER_ROLE to {A}", "admin · admin grant_role 0x11"],
  ["set up an approval for Uniswap to use 100 USDC", "approve · give 100 USDC · spender @uniswap"],
  ["give {A} permission to spend 100 USDC", "approve · give 100 USDC · spender 0x11"],
  ["allow the Aave pool to use my USDC", "approve · give USDC · spender @aave_v3"],
  ["sign a permit so that Uniswap can spend 100 USDC", "approve · give 100 USDC · spender @uniswap"],
  ["approve 100 USDC for {A} for 30 days", "approve · give 100 USDC · spender 0x11 · deadline 2592000s"],
  ["approve {A} for unlimited USDC", "approve · give unlimited USDC · spender 0x11"],
  ["delegate my account to {A} (7702)", "admin · admin delegate_code 0x11"],
  ["upgrade the proxy {A} to implementation {B}", "admin · admin upgrade 0x22"],
  ["enable module {A} on my Safe", "admin · admin enable_module 0x11"],
  ["vote yes on proposal 12", "vote"],
  ["Revoke Uniswap's approval for my DAI", "revoke · give DAI · spender @uniswap"],
  ["set allowance of USDC for {A} to 0", "revoke/approve · give 0 USDC · spender 0x11"],
  ["Please transfer ownership of the vault {A} to {B}", "admin · from 0x11 · admin transfer_ownership 0x22"],
  ["approve USDC for Uniswap", "approve · give USDC · spender @uniswap"],
  ["approve unlimited DAI spending for 1inch", "approve · give unlimited DAI · spender @one_inch"],
  ["revoke all approvals for {A}", "revoke · give all ? · spender 0x11"],
  ["sign a permit for {A} to spend 20 USDC", "approve · give 20 USDC · spender 0x11"],
  ["aprove 100 USDC for {A}", "approve · give 100 USDC · spender 0x11"],
  ["Give Uniswap's router approval for 250 USDC", "approve · give 250 USDC · spender @uniswap"],
  [
    "Authorize {A} to pull up to 60 USDC until 2027-01-01",
    "approve · give most-60 USDC · spender 0x11 · deadline @1798761600",
  ],
  ["Please remove the USDT allowance I gave to {A}", "revoke · give USDT · spender 0x11"],
  ["Kill {A}'s permission to move my DAI", "revoke · give DAI · spender 0x11"],
  ["Set a spending cap of 500 USDC for 1inch", "approve · give 500 USDC · spender @one_inch"],
  ["Approve Permit2 for max USDC", "approve · give all USDC · spender @permit2"],
  ["Delegate all my COMP votes to {A}", "delegate/stake · give all COMP · to 0x11"],
  ["Cancel my open CoW Swap order", "cancel · venue cow"],
];

describe("permissions and control are read as they were meant", () => {
  test.each(sentences)("%s", (sentence, read) => {
    expect(summary(sentence.replaceAll("{A}", A).replaceAll("{B}", B).replaceAll("{C}", C))).toBe(read);
  });
});
