/**
 * Runs calls in its own name: an inner transfer spends what Multicall3 itself holds; a transferFrom needs an
 * allowance for it.
 */
import type { Address, Hex } from "../proposal.ts";
import { defineProtocol, fn, type InnerCall, type Read } from "../protocol.ts";
import { feeds, openedAsCalls } from "../uses.ts";

type Part = {
  readonly target: Address;
  readonly callData: Hex;
  readonly value?: bigint;
  readonly allowFailure?: boolean;
};

const run = (parts: readonly Part[], requireSuccess = true): Read => ({
  calls: parts.map(({ target, callData, value, allowFailure }, i): InnerCall => ({
    to: target,
    value: value ?? 0n,
    data: callData,
    ...(allowFailure === true || !requireSuccess ? { mayFail: true } : {}),
    at: `calls[${i}].callData`,
  })),
});

const plain = { target: openedAsCalls, callData: openedAsCalls };
const mayFail = { ...plain, allowFailure: feeds.terms };

const ON = ["multicall3", "multicall2"];

export default defineProtocol({
  title: "Multicall3",
  names: [],
  contracts: {
    multicall3: {
      0: "0xca11bde05977b3631167028862be2a173976ca11",
      324: "0xf9cda624fbc7e059355ce98a31693d299facd963",
    },
    multicall2: { 1: "0x5ba1e12693dc8f9c48aad8770482f4739beed696" },
  },
  functions: [
    fn(
      "function aggregate((address target, bytes callData)[] calls) payable",
      ON,
      { calls: plain },
      ([calls]) => run(calls),
    ),
    fn(
      "function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls) payable",
      ON,
      { requireSuccess: feeds.terms, calls: plain },
      ([requireSuccess, calls]) => run(calls, requireSuccess),
    ),
    fn(
      "function blockAndAggregate((address target, bytes callData)[] calls) payable",
      ON,
      { calls: plain },
      ([calls]) => run(calls),
    ),
    fn(
      "function tryBlockAndAggregate(bool requireSuccess, (address target, bytes callData)[] calls) payable",
      ON,
      { requireSuccess: feeds.terms, calls: plain },
      ([requireSuccess, calls]) => run(calls, requireSuccess),
    ),
    fn(
      "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable",
      ON,
      { calls: mayFail },
      ([calls]) => run(calls),
    ),
    fn(
      "function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls) payable",
      ON,
      { calls: { ...mayFail, value: openedAsCalls } },
      ([calls]) => run(calls),
    ),
  ],
});
