// Attacks of an audit that the verifier once signed, through the whole system with execution type 2: only the verdict
// is between the agent and the custodian.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { encodeFunctionData, parseAbi, type Hex } from "viem";
import { waitUntil } from "@countersign/tools/testing";
import { anOwner, setStage, type Owner, type Stage, type View } from "../../../tools/stage/index.ts";

const alice: Hex = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
const stranger: Hex = "0x6666666666666666666666666666666666666666";
const usdc: Hex = "0x1c7d4b196cb0c7b01d743fbc6116a902379c7238";
const governor: Hex = "0x408ed6354d4973f66138c91495f2f2fcbd8724c3";
const proxy: Hex = "0x2222222222222222222222222222222222222222";

const abi = parseAbi([
  "function transfer(address to, uint256 amount)",
  "function execute(address to, uint256 value, bytes data)",
  "function decreaseAllowance(address spender, uint256 amount)",
  "function castVote(uint256 proposalId, uint8 support)",
  "function initialize(address owner)",
  "function upgradeToAndCall(address implementation, bytes data)",
]);
const payment = encodeFunctionData({ abi, functionName: "transfer", args: [alice, 100_000_000n] });
const takeover = encodeFunctionData({ abi, functionName: "initialize", args: [stranger] });

const attacks = [
  {
    name: "an account that is not the owner's is told to pay",
    prompt: `Send 100 USDC to ${alice}`,
    to: stranger,
    data: encodeFunctionData({ abi, functionName: "execute", args: [usdc, 0n, payment] }),
  },
  {
    name: "an allowance is decreased by nothing and called a revoke",
    prompt: `Revoke the USDC allowance of ${stranger}`,
    to: usdc,
    data: encodeFunctionData({ abi, functionName: "decreaseAllowance", args: [stranger, 0n] }),
  },
  {
    name: "a vote goes against the proposal",
    prompt: `Vote for proposal 42 on the governor ${governor}`,
    to: governor,
    data: encodeFunctionData({ abi, functionName: "castVote", args: [42n, 0] }),
  },
  {
    name: "an upgrade carries a call that takes the contract over",
    prompt: `Upgrade the contract ${proxy} to the implementation ${alice}`,
    to: proxy,
    data: encodeFunctionData({ abi, functionName: "upgradeToAndCall", args: [alice, takeover] }),
  },
] as const;

let stage: Stage;
let owner: Owner;
beforeAll(async () => {
  stage = await setStage();
  owner = await anOwner(stage, 2, { isKept: true });
});
afterAll(() => stage.end());

const judged = async (requestHash: Hex): Promise<View> => {
  let found: View | undefined;
  await waitUntil(
    "the verdict is recorded",
    async () => {
      found = (await owner.list())?.find((view) => view.requestHash === requestHash);
      expect(found?.approvals.orion).toHaveLength(1);
      expect(["AWAITING", "REJECTED", "READY", "EXECUTING", "BROADCAST"]).toContain(found?.phase);
    },
    { seconds: 60 },
  );
  if (found === undefined) throw new Error("The transaction is not listed.");
  return found;
};

describe("with execution type 2 and a custodian", () => {
  test.each(attacks)("$name: not approved, not sent", async ({ prompt, to, data }) => {
    const requestHash = await owner.propose({ prompt, call: { to, value: 0n, data } });
    const { status, approvals } = await judged(requestHash);
    expect(approvals.orion[0]?.decision).not.toBe("APPROVED");
    expect(["PENDING", "REJECTED"]).toContain(status);
    expect(stage.custodian.accepted().map(({ externalTxId }) => externalTxId)).not.toContain(requestHash);
  });

  test("an honest payment in the same account is approved", async () => {
    const call = { to: alice, value: 1_000_000_000_000_000n, data: "0x" } as const;
    const requestHash = await owner.propose({ prompt: `Send 0.001 ETH to ${alice}`, call });
    expect((await judged(requestHash)).approvals.orion[0]?.decision).toBe("APPROVED");
  });
});
