import { expect, test } from "vitest";
import { readBytes } from "../bytes/read-bytes.ts";
import { loadProtocols } from "../protocols/load-protocols.ts";
import { aCall, aProposal, encodeCall, smallRegistry } from "../../test/protocols.ts";
import { describeCalls } from "./describe-calls.ts";

const knowledge = { registry: smallRegistry(), protocols: await loadProtocols() };
const bob = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
const usdc = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const multicall3 = "0xca11bde05977b3631167028862be2a173976ca11";
const code = "0x6666666666666666666666666666666666666666";

const callsOf = (...calls: readonly Parameters<typeof aCall>[0][]) =>
  describeCalls(
    readBytes(
      aProposal({
        calls: calls.map((call, index) => ({
          ...aCall(call),
          ...(calls.length > 1 ? { at: `proposed_tx.transactions[${index}]` } : {}),
        })),
      }),
      knowledge,
    ),
    () => undefined,
  );

test("coin alone is a call without data", () => {
  expect(callsOf({ to: bob, value: "100" })).toEqual([
    {
      ...{ call: "proposed_tx", to: bob, value: "100", function: "transfer", protocol: "native" },
      ...{ known: true, delegatecall: false, data: [0, 0], calls: [] },
    },
  ]);
});

test("a wrapper is told with what is in it", () => {
  const transfer = encodeCall("function transfer(address,uint256)", [bob, 5]);
  const data = encodeCall("function aggregate3Value((address,bool,uint256,bytes)[])", [
    [
      [usdc, false, 0, transfer],
      [bob, false, 7, "0xdeadbeef"],
    ],
  ]);
  const [call] = callsOf({ to: multicall3, value: "7", data });
  expect(call).toMatchObject({ call: "proposed_tx", protocol: "multicall3", known: true });
  expect(call?.calls).toMatchObject([
    { call: "proposed_tx/0", to: usdc, function: "transfer", protocol: "erc20", known: true, calls: [] },
    { call: "proposed_tx/1", to: bob, value: "7", function: null, protocol: null, known: false, calls: [] },
  ]);
});

test("each of several transactions counts its own bytes", () => {
  expect(callsOf({ to: bob }, { to: bob, data: "0xdeadbeef" })).toMatchObject([
    { call: "proposed_tx.transactions[0]", data: [0, 0] },
    { call: "proposed_tx.transactions[1]", data: [0, 4] },
  ]);
});

test("foreign code that runs as the account is not known, whatever it looks like", () => {
  const transfer = encodeCall("function transfer(address,uint256)", [bob, 5]);
  const data = encodeCall("function execute(address,uint256,bytes,uint8)", [code, 0, transfer, 1]);
  const [call] = callsOf({ to: bob, data });
  expect(call?.calls).toMatchObject([{ function: "transfer", known: false, delegatecall: true }]);
});
