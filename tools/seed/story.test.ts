import { decodeFunctionData, erc20Abi, parseAbi } from "viem";
import { expect, it } from "vitest";
import { storyCases } from "./story-cases.ts";
import { tellStory } from "./story.ts";

// The owner's key is public, too.
it("is told on a chain of this machine only", async () => {
  await expect(
    tellStory({ api: "http://127.0.0.1:1", anvil: "https://sepolia.example.org" }),
  ).rejects.toThrow("Seeding is for a chain on this machine");
});

it("has the shape of the incident: a call that another's code runs as the account, in the guise of a transfer", () => {
  const abi = parseAbi([
    "function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256, uint256, uint256, address, address, bytes)",
  ]);
  const { to, data } = storyCases.incident.tx;
  const { args } = decodeFunctionData({ abi, data });
  expect([to, args[1], args[3]]).toEqual(["0x1Db92e2EeBC8E0c075a02BeA49a2935BcD2dFCF4", 0n, 1]);
  expect(decodeFunctionData({ abi: erc20Abi, data: args[2] }).functionName).toBe("transfer");
});
