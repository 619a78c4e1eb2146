/** Names from the operator's files: what they show, and that they change nothing else. */
import { encodeFunctionData, parseAbi, type AbiFunction } from "viem";
import { beforeAll, describe, expect, test } from "vitest";
import { startEngine, type RealEngine } from "../../test/real-engine.ts";
import type { ContractData, FunctionName, Leaf } from "../facts.ts";
import type { Address, Hex } from "../proposal.ts";
import { ValidateRequest } from "../request/index.ts";
import { nameCall } from "./name-call.ts";
import { validate, type Verdict } from "./validate.ts";

const vault: Address = "0xc0ffee00000000000000000000000000000000aa";
const code: Address = "0xc0de000000000000000000000000000000000001";
const me: Address = "0x7a16ff8270133f063aab6c9977183d9e72835428";
const abi = parseAbi([
  "function stake(uint256 amount, (address to, uint256[] parts) order)",
  "function transfer(address to, uint256 amount)",
]);
const data = encodeFunctionData({ abi, functionName: "stake", args: [5n, { to: me, parts: [7n, 8n] }] });

const named = (item: AbiFunction | undefined, given: Partial<FunctionName> = {}): FunctionName => ({
  ...{ name: item?.name ?? "", inputs: item?.inputs ?? [], intent: null, labels: {} },
  ...{ source: "a file", asOf: "2026-09-20" },
  ...given,
});
const staking = named(abi[0], { intent: "Stake", labels: { amount: "Amount", "order.parts.[]": "Part" } });

/** Files about these contracts of chain 1, which have these functions. */
const filesOf = (files: Readonly<Record<Address, Readonly<Record<Hex, FunctionName>>>>): ContractData => ({
  size: Object.keys(files).length,
  at: (chain, address) =>
    chain !== 1 || files[address] === undefined
      ? null
      : {
          ...{ name: `Vault ${address.slice(-2)}`, verification: "exact", deployedSecondsAgo: null },
          ...{ atLeastSecondsOld: null, source: "a file", asOf: "2026-09-20" },
        },
  functionAt: (chain, address, selector) => (chain === 1 ? (files[address]?.[selector] ?? null) : null),
});
const selector = data.slice(0, 10) as Hex;
const files = filesOf({ [vault]: { [selector]: staking } });

const leaf = (given: Partial<Leaf> = {}): Leaf => ({
  ...{ where: "proposed_tx", depth: 0, sender: "self", to: vault, value: 0n, data, delegatecall: false },
  ...{ protocol: null, function: null, knowledge: "none", args: [], encoding: [], place: null },
  ...given,
});
const nameIt = (
  one: Leaf,
  contractData = files,
  chain = 1,
  proxies: Parameters<typeof nameCall>[1]["proxies"] = [],
) => nameCall(one, { contractData, chain, proxies });

describe("a call of a contract that the operator has a file about", () => {
  test("is named, with the arguments and the descriptor's words for them", () => {
    expect(nameIt(leaf())).toEqual({
      ...{ contract: "Vault aa", of: vault, source: "a file", as_of: "2026-09-20", why: null },
      ...{ function: "stake", signature: "stake(uint256,(address,uint256[]))", intent: "Stake" },
      arguments: [
        { name: "amount", type: "uint256", label: "Amount", value: "5" },
        { name: "order.to", type: "address", label: null, value: me },
        { name: "order.parts.[0]", type: "uint256", label: "Part", value: "7" },
        { name: "order.parts.[1]", type: "uint256", label: "Part", value: "8" },
      ],
    });
  });

  test.each([
    ["another chain", leaf(), 10],
    ["another address", leaf({ to: code }), 1],
    ["a new contract", leaf({ to: null }), 1],
  ])("is not named with it on %s", (_, one, chain) => {
    expect(nameIt(one, files, chain)).toBeUndefined();
  });

  test.each([
    ["a byte after its arguments", `${data}00` as Hex],
    ["a word after its arguments", `${data}${"0".repeat(64)}` as Hex],
    [
      "a dirty address",
      data.replace(`${"0".repeat(24)}${me.slice(2)}`, `${"1".repeat(24)}${me.slice(2)}`) as Hex,
    ],
    ["a missing word", data.slice(0, -64) as Hex],
  ])("has no function with %s, because the contract could read something else", (_, bent) => {
    expect(nameIt(leaf({ data: bent }))).toMatchObject({
      ...{ function: null, arguments: [], contract: "Vault aa" },
      why: expect.stringContaining("not exactly") as string,
    });
  });

  test("has no function that no file has", () => {
    expect(nameIt(leaf({ data: "0xdeadbeef" }))?.why).toBe("No file has this function.");
    expect(nameIt(leaf({ data: "0x" }))?.why).toBe("It calls no function.");
  });

  test("is named with the functions of the implementation that was executed, after those of the proxy", () => {
    const proxies = [{ address: vault, implementation: code }];
    const behind = filesOf({ [vault]: {}, [code]: { [selector]: staking } });
    expect(nameIt(leaf(), behind)?.function).toBeNull();
    expect(nameIt(leaf(), behind, 1, proxies)).toMatchObject({
      function: "stake",
      of: code,
      contract: "Vault aa",
    });
    const own = filesOf({
      ...{ [vault]: { [selector]: { ...staking, name: "own" } }, [code]: { [selector]: staking } },
    });
    expect(nameIt(leaf(), own, 1, proxies)).toMatchObject({ function: "own", of: vault });
  });

  test("shows the texts of others in one short line", () => {
    const note = parseAbi(["function note(string text)"]);
    const text = `a\u202Eb\n${"x".repeat(200)}`;
    const long = encodeFunctionData({ abi: note, args: [text] });
    const [shown] =
      nameIt(leaf({ data: long }), filesOf({ [vault]: { [long.slice(0, 10)]: named(note[0]) } }))
        ?.arguments ?? [];
    expect(shown?.value).toMatch(/^a·b·x+…$/);
    expect(shown?.value.length).toBe(80);
  });
});

describe("a verdict", () => {
  let engine: RealEngine;
  beforeAll(async () => {
    engine = await startEngine();
  }, 60_000);

  const ask = (
    contractData: ContractData,
    words: string,
    call: { to: Address; data: Hex },
  ): Promise<Verdict> =>
    validate(
      ValidateRequest.parse({ human_intent: words, proposed_tx: call, metadata: { from: me, chain_id: 1 } }),
      { ...engine.engine, contractData },
    );
  const withoutNames = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, member: unknown) =>
        key === "named" || key === "duration_ms" ? undefined : member,
      ),
    );
  const calls = ({ context }: Verdict) =>
    context["calls"] as readonly { readonly named?: { function: string | null } }[];

  test.each([
    ["that asks for what the name says", `Stake 5 USDC on ${vault}`, { to: vault, data }],
    ["that names the function", "stake 5", { to: vault, data }],
    [
      "of a payment that the function claims to be",
      `Send 5 USDC to ${me}`,
      { to: vault, data: encodeFunctionData({ abi, functionName: "transfer", args: [me, 5_000_000n] }) },
    ],
  ])("on a request %s is the same with and without names", async (_, words, call) => {
    const all = filesOf({
      [vault]: { [selector]: staking, [call.data.slice(0, 10)]: named(call.data === data ? abi[0] : abi[1]) },
    });
    const [bare, shown] = [await ask(filesOf({ [vault]: {} }), words, call), await ask(all, words, call)];
    expect(calls(bare)[0]?.named?.function).toBeNull();
    expect(calls(shown)[0]?.named?.function).toBe(call.data === data ? "stake" : "transfer");
    expect(shown.decision).toBe("REJECT");
    expect(withoutNames(shown)).toEqual(withoutNames(bare));
  });

  test("does not name a call that our tables know", async () => {
    const usdc: Address = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
    const payment = encodeFunctionData({ abi, functionName: "transfer", args: [vault, 5_000_000n] });
    const wrong = filesOf({ [usdc]: { [payment.slice(0, 10)]: named(abi[1], { name: "donate" }) } });
    const verdict = await ask(wrong, `Send 5 USDC to ${vault}`, { to: usdc, data: payment });
    expect(verdict.decision).toBe("PASS");
    expect(calls(verdict)[0]?.named).toBeUndefined();
  });
});
