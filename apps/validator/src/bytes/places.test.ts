import { readdirSync } from "node:fs";
import fc from "fast-check";
import { AbiCoder, solidityPacked } from "ethers";
import { describe, expect, test } from "vitest";
import type { Leaf } from "../effects.ts";
import type { Address, Hex } from "../proposal.ts";
import { loadProtocols } from "../protocols/load-protocols.ts";
import {
  aCall,
  aProposal,
  encodeCall,
  packRecord,
  proposalOf,
  samplesOf,
  smallRegistry,
} from "../../test/protocols.ts";
import { readBytes } from "./read-bytes.ts";

const knowledge = { registry: smallRegistry(), protocols: await loadProtocols() };

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const FRIEND: Address = "0xd8da6bf26964af9d7eed9e03e53415d37aa96045";
const SAFE: Address = "0x5afe5afe5afe5afe5afe5afe5afe5afe5afe5afe";
const ACCOUNT: Address = "0xacc0acc0acc0acc0acc0acc0acc0acc0acc0acc0";
const MULTISEND: Address = "0x38869bf66a61cf6bdb996a6ae40d5853fd43b526";
const MULTICALL3: Address = "0xca11bde05977b3631167028862be2a173976ca11";
const ZERO: Address = `0x${"0".repeat(40)}`;

type Part = { readonly to: Address; readonly data: Hex };

const pay = (amount: bigint): Part => ({
  to: USDC,
  data: encodeCall("function transfer(address,uint256)", [FRIEND, amount]),
});
const safe = ({ to, data }: Part, operation = 0): Part => ({
  to: SAFE,
  data: encodeCall(
    "function execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)",
    [to, 0, data, operation, 0, 0, 0, ZERO, ZERO, "0x"],
  ),
});
const records = (parts: readonly Part[]): Part =>
  safe(
    {
      to: MULTISEND,
      data: encodeCall("function multiSend(bytes)", [
        `0x${parts.map((part) => packRecord(part).slice(2)).join("")}`,
      ]),
    },
    1,
  );
const aggregate = (parts: readonly Part[]): Part => ({
  to: MULTICALL3,
  data: encodeCall("function aggregate((address,bytes)[])", [parts.map(({ to, data }) => [to, data])]),
});
const batch = (parts: readonly Part[]): Part => ({
  to: ACCOUNT,
  data: encodeCall("function executeBatch(address[],bytes[])", [
    parts.map(({ to }) => to),
    parts.map(({ data }) => data),
  ]),
});
const EXECUTE = "function execute(bytes32,bytes)";
const single = ({ to, data }: Part): Part => ({
  to: ACCOUNT,
  data: encodeCall(EXECUTE, [
    `0x${"00".repeat(32)}`,
    solidityPacked(["address", "uint256", "bytes"], [to, 0, data]),
  ]),
});
const listOf = (parts: readonly Part[]): string =>
  AbiCoder.defaultAbiCoder().encode(
    ["(address,uint256,bytes)[]"],
    [parts.map(({ to, data }) => [to, 0, data])],
  );
const executions = (parts: readonly Part[]): Part => ({
  to: ACCOUNT,
  data: encodeCall(EXECUTE, [`0x01${"00".repeat(31)}`, listOf(parts)]),
});
const batches = (parts: readonly Part[]): Part => ({
  to: ACCOUNT,
  data: encodeCall(EXECUTE, [
    `0x01000000000078210002${"00".repeat(22)}`,
    AbiCoder.defaultAbiCoder().encode(["bytes[]"], [parts.map((part) => listOf([part]))]),
  ]),
});

const leavesOf = ({ to, data }: Part): readonly Leaf[] =>
  readBytes(aProposal({ calls: [aCall({ to, data })] }), knowledge).leaves;

const sliced = (data: string, [from, to]: readonly [number, number]): string =>
  `0x${data.slice(2 + from * 2, 2 + to * 2)}`;

describe("the place of a call's data in the outermost call's data", () => {
  test("is reported for a Safe that runs MultiSend", () => {
    const part = records([pay(5n), pay(6n)]);
    const leaves = leavesOf(part);
    expect(leaves.map(({ where, function: name }) => [where, name])).toEqual([
      ["proposed_tx", "execTransaction"],
      ["proposed_tx/0", "multiSend"],
      ["proposed_tx/0/0", "transfer"],
      ["proposed_tx/0/1", "transfer"],
    ]);
    expect(leaves[0]?.place).toEqual([0, (part.data.length - 2) / 2]);
    for (const { place, data } of leaves) expect(place && sliced(part.data, place)).toBe(data);
  });

  test("is not reported for data that was signed and not sent", () => {
    const [sample] = samplesOf("safe").filter(({ typedData }) => typedData !== undefined);
    if (sample === undefined) throw new Error("the sample is missing");
    const { leaves } = readBytes(proposalOf(sample), knowledge);
    expect(leaves.length).toBeGreaterThan(0);
    for (const { place } of leaves) expect(place).toBeNull();
  });

  test("is exact for any nesting", () => {
    const wraps = [records, aggregate, batch, executions, batches];
    const { part } = fc.letrec<{ part: Part }>((tie) => ({
      part: fc.oneof(
        { maxDepth: 3, depthSize: "small" },
        // An amount that occurs nowhere else in the bytes identifies their place.
        fc.bigInt({ min: 2n ** 200n, max: 2n ** 240n }).map(pay),
        fc
          .tuple(fc.constantFrom(...wraps), fc.array(tie("part"), { minLength: 1, maxLength: 3 }))
          .map(([wrap, parts]) => wrap(parts)),
        tie("part").map((inner) => safe(inner)),
        tie("part").map(single),
      ),
    }));
    let deepest = 0;
    fc.assert(
      fc.property(part, (root) => {
        for (const { place, data, depth } of leavesOf(root)) {
          deepest = Math.max(deepest, depth);
          if (place === null) throw new Error("its place is missing");
          expect(sliced(root.data, place)).toBe(data);
          if (data.length < 200) expect(root.data.indexOf(data.slice(2))).toBe(2 + place[0] * 2);
        }
      }),
      { numRuns: 60 },
    );
    expect(deepest).toBeGreaterThan(2);
  });

  test("is right in every sample of every protocol that reports it", () => {
    const folder = new URL("../protocols/", import.meta.url);
    const ids = readdirSync(folder).flatMap((name) =>
      name.endsWith(".samples.json") ? [name.slice(0, -".samples.json".length)] : [],
    );
    let told = 0;
    for (const sample of ids.flatMap(samplesOf)) {
      const proposal = proposalOf(sample);
      for (const { where, place, data } of readBytes(proposal, knowledge).leaves) {
        if (place === null) continue;
        const root = proposal.calls.find(({ at }) => where === at || where.startsWith(`${at}/`));
        if (sliced(root?.data.toLowerCase() ?? "", place) !== data) throw new Error(sample.name);
        if (where.includes("/")) told += 1;
      }
    }
    expect(told).toBeGreaterThan(50);
  });
});
