import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyDirectory, run } from "../../test/run-cli.ts";
import { aProposal, requestHash, sent, view } from "../../test/commands.ts";

const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const words = ["--words", "Send 0.1 ETH to Alice", "--to", alice];
const taken = { "POST /transactions": { status: 201, body: { ...view } } };

describe("countersign propose", () => {
  test("sends the request unchanged and the amount in wei, and prints only the hash when piped", async () => {
    const { env, asked } = await aProposal([view], taken);
    const said = ["--words", "  Send 0.1 ETH\tto Alice ", "--to", alice, "--value", "0.1ETH"];
    const { stdout, stderr, code } = await run(["propose", ...said], { env });
    expect(code).toBe(0);
    expect(stdout).toBe(`${requestHash}\n`);
    expect(stderr).toContain(`countersign watch ${requestHash}`);
    expect(sent(asked, "POST", "/transactions")).toEqual([
      {
        userPrompt: "  Send 0.1 ETH\tto Alice ",
        escrowAddress: view.escrowAddress,
        tx: { to: alice, value: "100000000000000000", data: "0x" },
      },
    ]);
  });

  test("accepts chain, account and deadline", async () => {
    const { env, asked } = await aProposal([view], taken);
    const more = ["--chain", "1", "--escrow", alice, "--deadline", "2h", "--data", "0x1234"];
    await run(["propose", ...words, ...more], { env });
    const [body] = sent(asked, "POST", "/transactions");
    expect(body).toMatchObject({ chainId: 1, escrowAddress: alice, tx: { value: "0", data: "0x1234" } });
    expect((body as { deadline: number }).deadline).toBeGreaterThan(Date.parse(view.createdAt) / 1000);
  });

  test.each(["stdin", "a file"])("reads a proposal from %s", async (from) => {
    const { env, asked } = await aProposal([view], taken);
    const document = JSON.stringify({ userPrompt: "pay", tx: { to: alice, value: "7" }, chainId: 5 });
    const file = join(await emptyDirectory(), "p.json");
    await writeFile(file, document);
    const { code } = await run(["propose", from === "stdin" ? "-" : file], { env, stdin: document });
    expect(code).toBe(0);
    expect(sent(asked, "POST", "/transactions")).toMatchObject([
      { userPrompt: "pay", chainId: 5, tx: { to: alice, value: "7", data: "0x" } },
    ]);
  });

  test("reads a batch of calls from a file, unchanged", async () => {
    const { env, asked } = await aProposal([view], taken);
    const calls = {
      ...{ chainId: "0x5", from: alice, atomicRequired: true },
      calls: [{ to: alice, value: "7", data: "0x" }],
    };
    const stdin = JSON.stringify({ userPrompt: "pay", calls, chainId: 5 });
    expect((await run(["propose", "-"], { env, stdin })).code).toBe(0);
    expect(sent(asked, "POST", "/transactions")).toEqual([
      { userPrompt: "pay", chainId: 5, calls, escrowAddress: view.escrowAddress },
    ]);
  });

  test("reads typed data to sign from a file, unchanged", async () => {
    const { env, asked } = await aProposal([view], taken);
    const typedData = {
      domain: { name: "USDC", chainId: 5 },
      types: { Permit: [{ name: "value", type: "uint256" }] },
      ...{ primaryType: "Permit", message: { value: "7" } },
    };
    const stdin = JSON.stringify({ userPrompt: "pay", typedData, chainId: 5 });
    expect((await run(["propose", "-"], { env, stdin })).code).toBe(0);
    expect(sent(asked, "POST", "/transactions")).toEqual([
      { userPrompt: "pay", chainId: 5, typedData, escrowAddress: view.escrowAddress },
    ]);
  });

  test("reads a text to be signed from a file, unchanged", async () => {
    const { env, asked } = await aProposal([view], taken);
    const stdin = JSON.stringify({ userPrompt: "sign", message: "I agree\n", chainId: 5 });
    expect((await run(["propose", "-"], { env, stdin })).code).toBe(0);
    expect(sent(asked, "POST", "/transactions")).toEqual([
      { userPrompt: "sign", message: "I agree\n", chainId: 5, escrowAddress: view.escrowAddress },
    ]);
  });

  test("reads an authorization from a file, unchanged", async () => {
    const { env, asked } = await aProposal([view], taken);
    const authorizationList = [{ chainId: 5, address: alice, nonce: 3 }];
    const stdin = JSON.stringify({ userPrompt: "delegate", authorizationList, chainId: 5 });
    expect((await run(["propose", "-"], { env, stdin })).code).toBe(0);
    expect(sent(asked, "POST", "/transactions")).toEqual([
      { userPrompt: "delegate", authorizationList, chainId: 5, escrowAddress: view.escrowAddress },
    ]);
  });

  test("reads a user operation from a file, unchanged", async () => {
    const { env, asked } = await aProposal([view], taken);
    const userOperation = { chainId: 5, entryPoint: alice, sender: alice, nonce: "7", callData: "0x" };
    const stdin = JSON.stringify({ userPrompt: "do", userOperation, chainId: 5 });
    expect((await run(["propose", "-"], { env, stdin })).code).toBe(0);
    expect(sent(asked, "POST", "/transactions")).toEqual([
      { userPrompt: "do", userOperation, chainId: 5, escrowAddress: view.escrowAddress },
    ]);
  });

  test("reads a Safe's transaction from a file, unchanged", async () => {
    const { env, asked } = await aProposal([view], taken);
    const safeTransaction = { chainId: 5, safe: alice, to: alice, value: "7", nonce: 3 };
    const stdin = JSON.stringify({ userPrompt: "pay", safeTransaction, chainId: 5 });
    expect((await run(["propose", "-"], { env, stdin })).code).toBe(0);
    expect(sent(asked, "POST", "/transactions")).toEqual([
      { userPrompt: "pay", chainId: 5, safeTransaction, escrowAddress: view.escrowAddress },
    ]);
  });

  test("proposes a sandbox input by name, and lists all inputs for an unknown name", async () => {
    const { env, asked } = await aProposal([view], taken);
    expect((await run("propose --sandbox wrong-recipient", { env })).code).toBe(0);
    expect(sent(asked, "POST", "/transactions")).toHaveLength(1);
    const { code, stderr } = await run("propose --sandbox nonsense", { env });
    expect(code).toBe(2);
    expect(stderr).toContain("unlimited-approval");
  });

  test.each([
    [["--to", alice], "--words is missing"],
    [["--words", "pay"], "--to"],
    [[...words, "--value", "0.1"], "needs a unit"],
    [[...words, "--value", "a lot"], "isn't an amount"],
    [[...words, "--value", "0.0000000000000000001ETH"], "too many decimals"],
    [[...words, "--data", "0x123"], "even number of characters"],
    [[...words, "--deadline", "soon"], "needs a duration"],
    [[...words, "--chain", "mainnet"], "chain ID"],
    [["--words", "pay", "--to", alice.replace("d35Cc", "d35cC")], "checksum"],
    [[...words, "--file", "p.json"], "not both"],
  ])("rejects an ambiguous command and sends nothing: %j", async (args, why) => {
    const { env, asked } = await aProposal([view], taken);
    const { code, stderr } = await run(["propose", ...args], { env });
    expect(stderr).toContain(why);
    expect(code).toBe(2);
    expect(sent(asked, "POST", "/transactions")).toEqual([]);
  });

  test.each([
    ["nonsense", "not JSON"],
    ["[]", "must be an object"],
    [`{"userPrompt":"pay","tx":{"to":"${alice}","gas":"1"}}`, "gas"],
    [`{"userPrompt":"pay","tx":{"to":"${alice}"},"secret":1}`, "secret"],
    [`{"userPrompt":"pay","tx":{"to":"${alice}","value":0.1}}`, "tx.value"],
    [`{"tx":{"to":"${alice}"}}`, "userPrompt"],
    [`{"userPrompt":"pay","tx":{"to":"${alice}"},"typedData":{}}`, "not both"],
    [`{"userPrompt":"pay","typedData":{"primaryType":"Permit"}}`, "domain"],
    [`{"userPrompt":"pay","typedData":{},"calls":{}}`, "not both"],
    [`{"userPrompt":"pay","calls":{"from":"${alice}","chainId":5,"calls":[]}}`, "atomicRequired"],
    [`{"userPrompt":"pay","calls":{"capabilities":{}}}`, "capabilities"],
    [`{"userPrompt":"pay","safeTransaction":{"signatures":"0x"}}`, "signatures"],
    [`{"userPrompt":"pay","message":{"raw":"0x"}}`, "message"],
    [`{"userPrompt":"pay","userOperation":{"signature":"0x"}}`, "signature"],
    [`{"userPrompt":"pay","authorizationList":[]}`, "exactly one authorization"],
    [`{"userPrompt":"pay","authorizationList":[{"yParity":1}]}`, "yParity"],
  ])("rejects a document with unknown or invalid fields: %s", async (stdin, why) => {
    const { env } = await aProposal([view], taken);
    const { code, stderr } = await run("propose -", { env, stdin });
    expect(stderr).toContain(why);
    expect(code).toBe(2);
  });

  test("asks for a wallet to sign the request", async () => {
    const { env } = await aProposal([view], taken);
    const { code, stderr } = await run(["propose", ...words, "--sign-words"], { env });
    expect(stderr).toContain("countersign login --wallet");
    expect(code).toBe(3);
  });

  test("signs the request with the owner's wallet", async () => {
    const { env, asked } = await aProposal([view], taken);
    const key = { COUNTERSIGN_WALLET_KEY: `0x${"11".repeat(32)}` };
    const { code } = await run(["propose", ...words, "--sign-words"], { env: { ...env, ...key } });
    expect(code).toBe(0);
    expect(sent(asked, "POST", "/transactions")).toMatchObject([
      { intentSignature: { signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) as string } },
    ]);
  });

  test("waits for the verdict with --watch, as JSON lines with --json", async () => {
    const { env } = await aProposal([view], taken);
    const { code, stdout } = await run(["propose", ...words, "--watch", "--json"], { env });
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines[0]).toMatchObject({ requestHash });
    expect(lines.at(-1)).toMatchObject({ verdict: "APPROVED", isLast: true });
    expect(code).toBe(0);
  });
});
