import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { emptyDirectory, run } from "../../test/run-cli.ts";
import { aProposal, requestHash, sent, view } from "../../test/commands.ts";

const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const words = ["--words", "Send 0.1 ETH to Alice", "--to", alice];
const taken = { "POST /transactions": { status: 201, body: { ...view } } };

describe("countersign propose", () => {
  test("sends the words untouched and the amount in wei, and prints the hash alone where it is piped", async () => {
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

  test("takes chain, account and deadline", async () => {
    const { env, asked } = await aProposal([view], taken);
    const more = ["--chain", "1", "--escrow", alice, "--deadline", "2h", "--data", "0x1234"];
    await run(["propose", ...words, ...more], { env });
    const [body] = sent(asked, "POST", "/transactions");
    expect(body).toMatchObject({ chainId: 1, escrowAddress: alice, tx: { value: "0", data: "0x1234" } });
    expect((body as { deadline: number }).deadline).toBeGreaterThan(Date.parse(view.createdAt) / 1000);
  });

  test.each(["stdin", "a file"])("takes a whole proposal from %s", async (from) => {
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

  test("takes an input of the sandbox by its name, and names them all for a wrong one", async () => {
    const { env, asked } = await aProposal([view], taken);
    expect((await run("propose --sandbox wrong-recipient", { env })).code).toBe(0);
    expect(sent(asked, "POST", "/transactions")).toHaveLength(1);
    const { code, stderr } = await run("propose --sandbox nonsense", { env });
    expect(code).toBe(2);
    expect(stderr).toContain("unlimited-approval");
  });

  test.each([
    [["--to", alice], "own words"],
    [["--words", "pay"], "--to"],
    [[...words, "--value", "0.1"], "of what"],
    [[...words, "--value", "a lot"], "no amount"],
    [[...words, "--value", "0.0000000000000000001ETH"], "finer"],
    [[...words, "--data", "0x123"], "pairs of digits"],
    [[...words, "--deadline", "soon"], "span of time"],
    [[...words, "--chain", "mainnet"], "number of a chain"],
    [["--words", "pay", "--to", alice.replace("d35Cc", "d35cC")], "checksum"],
    [[...words, "--file", "p.json"], "one of the two"],
  ])("refuses what could be misread and sends nothing: %j", async (args, why) => {
    const { env, asked } = await aProposal([view], taken);
    const { code, stderr } = await run(["propose", ...args], { env });
    expect(stderr).toContain(why);
    expect(code).toBe(2);
    expect(sent(asked, "POST", "/transactions")).toEqual([]);
  });

  test.each([
    ["nonsense", "not JSON"],
    ["[]", "not an object"],
    [`{"userPrompt":"pay","tx":{"to":"${alice}","gas":"1"}}`, "gas"],
    [`{"userPrompt":"pay","tx":{"to":"${alice}"},"secret":1}`, "secret"],
    [`{"userPrompt":"pay","tx":{"to":"${alice}","value":0.1}}`, "tx.value"],
    [`{"tx":{"to":"${alice}"}}`, "userPrompt"],
  ])("refuses a document with anything it does not know: %s", async (stdin, why) => {
    const { env } = await aProposal([view], taken);
    const { code, stderr } = await run("propose -", { env, stdin });
    expect(stderr).toContain(why);
    expect(code).toBe(2);
  });

  test("says what is missing where the words are to be signed and there is no wallet", async () => {
    const { env } = await aProposal([view], taken);
    const { code, stderr } = await run(["propose", ...words, "--sign-words"], { env });
    expect(stderr).toContain("countersign login --wallet");
    expect(code).toBe(3);
  });

  test("signs the words with the owner's wallet", async () => {
    const { env, asked } = await aProposal([view], taken);
    const key = { COUNTERSIGN_WALLET_KEY: `0x${"11".repeat(32)}` };
    const { code } = await run(["propose", ...words, "--sign-words"], { env: { ...env, ...key } });
    expect(code).toBe(0);
    expect(sent(asked, "POST", "/transactions")).toMatchObject([
      { intentSignature: { signature: expect.stringMatching(/^0x[0-9a-f]{130}$/) as string } },
    ]);
  });

  test("stays until the verdict with --watch, as JSON lines with --json", async () => {
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
