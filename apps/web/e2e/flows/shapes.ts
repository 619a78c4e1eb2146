// Tests the pages of proposals of other shapes than a transaction.
import type { Proposal } from "@countersign/sdk";
import type { Locator, Page } from "playwright-core";
import { encodeFunctionData, parseAbi, parseEther } from "viem";
import { entryPoint08Address } from "viem/account-abstraction";
import { describe, expect, test } from "vitest";
import { sights, type Agent, type Harness } from "../harness.ts";
import { alice, begin, heading, makeScene } from "./proposals.ts";

const chainId = 11_155_111;
const safe = "0x5aFE3855358E112B5647B952709E6165e1c1eEEe";
const usdc = "0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238";

const delegate = "0x63c0c19a282a1B52b07dD5a65b58948A07DAE32B";

type Subject = Omit<Proposal, "userPrompt"> & { readonly userPrompt: string };

const anHourAhead = (): number => Math.floor(Date.now() / 1000) + 3_600;

const field = (name: string, type: string) => ({ name, type });

/** One proposal of each shape, for an owner. Each matches its request. */
export const subjects = {
  signature: (owner: string): object => ({
    userPrompt: `Approve ${alice} to spend 5 USDC`,
    typedData: {
      domain: { name: "USDC", version: "2", chainId, verifyingContract: usdc },
      types: {
        Permit: [
          ...[field("owner", "address"), field("spender", "address"), field("value", "uint256")],
          ...[field("nonce", "uint256"), field("deadline", "uint256")],
        ],
      },
      primaryType: "Permit",
      message: { owner, spender: alice, value: "5000000", nonce: "0", deadline: String(anHourAhead()) },
    },
  }),
  safe: () => ({
    userPrompt: `Send 0.1 ETH from Safe ${safe} to ${alice}`,
    safeTransaction: { chainId, safe, to: alice, value: "100000000000000000", nonce: 3 },
  }),
  authorization: (): object => ({
    userPrompt: `Delegate my account code to ${delegate}`,
    authorizationList: [{ chainId, address: delegate, nonce: 3 }],
  }),
  operation: (owner: string): object => ({
    userPrompt: `Send 0.1 ETH to ${alice}`,
    userOperation: {
      ...{ chainId, entryPoint: entryPoint08Address, sender: owner, nonce: 3 },
      callData: encodeFunctionData({
        abi: parseAbi(["function execute(address target, uint256 value, bytes data)"]),
        args: [alice, parseEther("0.1"), "0x"],
      }),
      ...{ callGasLimit: 90_000, verificationGasLimit: 120_000, preVerificationGas: 40_000 },
      ...{ maxFeePerGas: "2000000000", maxPriorityFeePerGas: "1000000000" },
    },
  }),
  message: (): object => ({
    userPrompt: "Sign the message “I agree to the terms of example.com”",
    message: "I agree to the terms of example.com",
  }),
  "sign-in": (owner: string): object => ({
    userPrompt: "Sign in to app.example.com",
    message: [
      ...["app.example.com wants you to sign in with your Ethereum account:", owner, "", ""],
      ...["URI: https://app.example.com/login", "Version: 1", `Chain ID: ${chainId}`],
      ...["Nonce: 32891756aB", `Issued At: ${new Date().toISOString()}`],
    ].join("\n"),
  }),
} as const;

/** Proposes it, and waits for the verdict. */
export async function proposeSubject({ client }: Agent, subject: object): Promise<string> {
  const { requestHash } = await client.propose(subject as Subject as Proposal);
  await client.waitForVerdict(requestHash);
  return requestHash;
}

const card = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true });

type Seen = {
  readonly kind: keyof typeof subjects;
  readonly title: RegExp;
  readonly card: string;
  readonly until: RegExp;
  readonly worst: string;
};

const seen: readonly Seen[] = [
  {
    kind: "signature",
    title: /spend 5 USDC$/,
    card: "Signature",
    until: /Usable until\s+\w{3}, \d{2} \w{3} \d{4} [\d:]{8} GMT/,
    worst: "5 USDC can be taken.",
  },
  {
    kind: "safe",
    title: /^Send 0.1 ETH to 0x742d35…38f44e$/,
    card: "Safe transaction",
    until: /Usable until\s+The Safe has used its nonce 3/,
    worst: "0.1 ETH can be taken.",
  },
  {
    kind: "authorization",
    title: /^From now on, your wallet runs another contract’s code: 0x63c0c1…dae32b$/i,
    card: "Authorization",
    until: /Usable until\s+Your account’s nonce is higher than 3/,
    worst: "Everything in your wallet can be taken.",
  },
  {
    kind: "operation",
    title: /^Send 0.1 ETH to 0x742d35…38f44e$/,
    card: "User operation",
    until: /Usable until\s+The smart account has used its nonce 3/,
    worst: "0.1 ETH can be taken. Network fees can be 0.0005 ETH more.",
  },
  {
    kind: "message",
    title: /^Sign the text “I agree to the terms of example.com”$/,
    card: "Message",
    until: /Usable until\s+No expiry/,
    worst: "It can be shown that you agreed to this text.",
  },
  {
    kind: "sign-in",
    title: /^Sign in to app.example.com$/,
    card: "Message",
    until: /Usable until\s+No expiry/,
    worst: "Someone else is signed in to app.example.com as you.",
  },
];

export const shapeFlows = (harness: () => Harness): void => {
  describe("proposals of other shapes than a transaction", () => {
    test.each(seen.flatMap((one) => sights.map((sight) => ({ ...one, ...sight }))))(
      "says what it allows, until when, and the worst case: $kind, $screen, $scheme",
      async ({ kind, title, card: name, until, worst, ...sight }) => {
        const { owner, agent } = await makeScene(harness());
        const requestHash = await proposeSubject(agent, subjects[kind](owner.account.address));
        const visit = await harness().visit({ owner, ...sight });
        const { page } = visit;
        await visit.goto(`/transactions/${requestHash}`);
        await heading(page, title).waitFor();
        const text = await card(page, name).innerText();
        expect(text).toMatch(/ is a deferred (transaction|decision)/);
        expect(text).toMatch(until);
        expect(text).toContain(worst);
        await begin(visit, "Approve");
        const dialog = await page.getByRole("dialog").innerText();
        expect(dialog).toMatch(until);
        expect(dialog).toContain(worst);
        expect(await visit.axe()).toEqual([]);
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );
  });
};
