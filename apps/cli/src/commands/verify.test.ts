import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run } from "../../test/run-cli.ts";

// Of a development system, with its signature.
const file = new URL("../../test/render/receipt.json", import.meta.url);
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
    expect(stderr).toContain("come from profile default");
    expect(code).toBe(0);
  });

  test.each([`--signer ${signer}`, `--signer ${signer} --chain ${chainId}`, `--rpc http://127.0.0.1:1`])(
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

  describe("in an outage", () => {
    const noNetwork: typeof fetch = () => Promise.reject(new Error("the network was used"));
    const offline = { fetch: noNetwork };

    test("needs no network, no service and no sign-in when the trust is given", async () => {
      const { code, stderr } = await run(`verify - ${trust}`, { stdin, ...offline });
      expect([code, stderr]).toEqual([0, ""]);
    });

    test.each([
      ["is broken", "verify -", "{"],
      ["has no such profile", "verify - --profile other", JSON.stringify({ profiles: {} })],
    ])("does not read a profile file that %s when the trust is given", async (_, command, content) => {
      const configDirectory = await emptyDirectory();
      await writeFile(join(configDirectory, "profiles.json"), content);
      const { code, stderr } = await run(`${command} ${trust}`, { stdin, configDirectory, ...offline });
      expect([code, stderr]).toEqual([0, ""]);
    });

    test("says what only a receipt can show, ends with 5, and never says valid", async () => {
      const { stdout, code } = await run("verify -", { stdin, ...offline });
      expect(stdout).toMatch(/^\? NOT VERIFIED\./);
      expect(stdout).not.toContain("✓");
      expect(stdout).toContain(signer);
      expect(code).toBe(5);
      const { stdout: json } = await run("verify - --json", { stdin, ...offline });
      expect(JSON.parse(json)).toMatchObject({
        ...{ isValid: null, isConsistent: true, decision: "APPROVED" },
        claimed: { signer, inbox, chainId },
      });
    });

    test("goes on with a broken profile file, and says so", async () => {
      const configDirectory = await emptyDirectory();
      await writeFile(join(configDirectory, "profiles.json"), "{");
      const { stderr, code } = await run("verify -", { stdin, configDirectory, ...offline });
      expect(stderr).toContain("No profile used: The profile file is broken");
      expect(code).toBe(5);
    });

    const { attestation, proposal } = receipt;
    const lastDigit = (hex: string): string => `${hex.slice(0, -1)}${hex.endsWith("0") ? "1" : "0"}`;
    test.each([
      ["another signer by one digit", { attestation: { ...attestation, signer: lastDigit(signer) } }],
      ["another Inbox by one digit", { domain: { chainId, verifyingContract: lastDigit(inbox) } }],
      ["another chain by one", { domain: { chainId: chainId + 1, verifyingContract: inbox } }],
      [
        "another recipient by one digit",
        { proposal: { ...proposal, to: lastDigit(String(proposal["to"])) } },
      ],
    ])("ends with 4 for a receipt alone that contradicts itself: %s", async (_, change) => {
      const { stdout, code } = await run("verify -", { stdin: JSON.stringify({ ...receipt, ...change }) });
      expect(stdout).toMatch(/^✗ NOT VALID\./);
      expect(code).toBe(4);
    });

    test("ends with 7 when the node does not answer, and names the way without a network", async () => {
      const { stderr, code } = await run(
        `verify - --rpc http://127.0.0.1:9 --registry ${inbox} --inbox ${inbox}`,
        { stdin },
      );
      expect(stderr).toContain("The node given with --rpc does not answer");
      expect(stderr).toContain("--signer");
      expect(code).toBe(7);
    });

    test("ends with 6 when the node knows no such registry", async () => {
      const node = await aService({
        "POST /": ({ body }) => ({
          body: {
            ...{ jsonrpc: "2.0", id: (body as { id: number }).id },
            result: (body as { method: string }).method === "eth_chainId" ? "0x1" : "0x",
          },
        }),
      });
      const { stderr, code } = await run(`verify - --rpc ${node.url} --registry ${inbox} --inbox ${inbox}`, {
        stdin,
      });
      expect(stderr).toContain("did not say who signs");
      expect(code).toBe(6);
    });
  });
});
