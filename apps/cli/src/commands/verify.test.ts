import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { emptyDirectory, run } from "../testing.ts";

// Of a development system, with its signature.
const file = new URL("../render/testing/receipt.json", import.meta.url);
type Receipt = {
  readonly proposal: Readonly<Record<string, unknown>>;
  readonly attestation: { readonly signer: `0x${string}` };
  readonly domain: { readonly chainId: number; readonly verifyingContract: `0x${string}` };
};
const receipt = JSON.parse(readFileSync(file, "utf8")) as Receipt;
const { chainId, verifyingContract: inbox } = receipt.domain;
const { signer } = receipt.attestation;
const trust = `--signer ${signer} --inbox ${inbox} --chain ${chainId}`;
const stdin = JSON.stringify(receipt);

describe("countersign verify", () => {
  test("says VALID and by whom, and ends with 0", async () => {
    const { stdout, code } = await run(`verify ${file.pathname} ${trust}`);
    expect(stdout).toMatch(/^✓ VALID\. The arbiter said APPROVED/);
    expect(stdout).toContain(signer);
    expect(code).toBe(0);
  });

  test("takes from the profile whom to trust, and says so", async () => {
    const configDirectory = await emptyDirectory();
    const profile = { url: "http://127.0.0.1:1", trust: { chainId, inbox, signer } };
    await makeProfiles(configDirectory).change("default", () => profile);
    const { stderr, code } = await run("verify -", { stdin, configDirectory });
    expect(stderr).toContain("as profile default has it");
    expect(code).toBe(0);
  });

  test.each(["", `--signer ${signer}`, `--signer ${signer} --chain ${chainId}`, `--rpc http://127.0.0.1:1`])(
    "never says valid without knowing whom to trust: %j",
    async (given) => {
      const { stdout, stderr, code } = await run(`verify - ${given}`, { stdin });
      expect(stdout).toBe("");
      expect(stderr).toMatch(/missing: |belong together/);
      expect(code).toBe(2);
    },
  );

  test.each([
    ["another amount", { ...receipt, proposal: { ...receipt.proposal, value: "1" } }],
    ["other words", { ...receipt, proposal: { ...receipt.proposal, userPrompt: "Send 1 ETH" } }],
    ["another report", { ...receipt, report: { decision: "PASS" } }],
    ["no verdict", { ...receipt, attestation: null }],
  ])("ends with 4 and says what is wrong with %s", async (_, bent) => {
    const { stdout, code } = await run(`verify - ${trust}`, { stdin: JSON.stringify(bent) });
    expect(stdout).toMatch(/^✗ NOT VALID\.[^]*\n {2}- \w/);
    expect(code).toBe(4);
  });

  test("ends with 4 where somebody else has signed", async () => {
    const other = `0x${"1".repeat(40)}`;
    const { code, stdout } = await run(
      `verify - --signer ${other} --inbox ${inbox} --chain ${chainId} --json`,
      {
        stdin,
      },
    );
    expect(JSON.parse(stdout)).toMatchObject({ isValid: false });
    expect(code).toBe(4);
  });

  test("refuses what is no receipt", async () => {
    expect((await run(`verify - ${trust}`, { stdin: "{}" })).code).toBe(2);
  });
});
