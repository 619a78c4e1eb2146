import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeProfiles } from "../profiles/profiles.ts";
import { aService, emptyDirectory, run } from "../../test/run-cli.ts";

// Recorded from a development system, with its signature.
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
  test("reports VALID with the signer, and exits with 0", async () => {
    const { stdout, code } = await run(`verify ${file.pathname} ${trust}`);
    expect(stdout).toMatch(/^✓ VALID\. Verdict: APPROVED\./);
    expect(stdout).toContain(signer);
    expect(code).toBe(0);
  });

  test("uses the trust of the profile, and says so", async () => {
    const configDirectory = await emptyDirectory();
    const profile = { url: "http://127.0.0.1:1", trust: { chainId, inbox, signer } };
    await makeProfiles(configDirectory).change("default", () => profile);
    const { stderr, code } = await run("verify -", { stdin, configDirectory });
    expect(stderr).toContain("come from profile default");
    expect(code).toBe(0);
  });

  test.each([`--signer ${signer}`, `--signer ${signer} --chain ${chainId}`, `--rpc http://127.0.0.1:1`])(
    "never reports VALID with incomplete trust: %j",
    async (given) => {
      const { stdout, stderr, code } = await run(`verify - ${given}`, { stdin });
      expect(stdout).toBe("");
      expect(stderr).toMatch(/Missing: |together/);
      expect(code).toBe(2);
    },
  );

  test.each([
    ["another amount", { ...receipt, proposal: { ...receipt.proposal, value: "1" } }],
    ["another request", { ...receipt, proposal: { ...receipt.proposal, userPrompt: "Send 1 ETH" } }],
    ["another report", { ...receipt, report: { decision: "PASS" } }],
    ["no verdict", { ...receipt, attestation: null }],
  ])("exits with 4 and names the problem: %s", async (_, bent) => {
    const { stdout, code } = await run(`verify - ${trust}`, { stdin: JSON.stringify(bent) });
    expect(stdout).toMatch(/^✗ NOT VALID\.[^]*\n {2}- \w/);
    expect(code).toBe(4);
  });

  test("exits with 4 for another signer", async () => {
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

  test("rejects other documents", async () => {
    expect((await run(`verify - ${trust}`, { stdin: "{}" })).code).toBe(2);
  });

  describe("offline", () => {
    const noNetwork: typeof fetch = () => Promise.reject(new Error("the network was used"));
    const offline = { fetch: noNetwork };

    test("needs no network, service or sign-in when trust is given", async () => {
      const { code, stderr } = await run(`verify - ${trust}`, { stdin, ...offline });
      expect([code, stderr]).toEqual([0, ""]);
    });

    test.each([
      ["is broken", "verify -", "{"],
      ["has no such profile", "verify - --profile other", JSON.stringify({ profiles: {} })],
    ])("does not read a profile file that %s when trust is given", async (_, command, content) => {
      const configDirectory = await emptyDirectory();
      await writeFile(join(configDirectory, "profiles.json"), content);
      const { code, stderr } = await run(`${command} ${trust}`, { stdin, configDirectory, ...offline });
      expect([code, stderr]).toEqual([0, ""]);
    });

    test("reports NOT VERIFIED without trust, and exits with 5", async () => {
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

    test("continues with a broken profile file, and says so", async () => {
      const configDirectory = await emptyDirectory();
      await writeFile(join(configDirectory, "profiles.json"), "{");
      const { stderr, code } = await run("verify -", { stdin, configDirectory, ...offline });
      expect(stderr).toContain("No profile used: The profile file can't be read");
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
    ])("exits with 4 for an inconsistent receipt: %s", async (_, change) => {
      const { stdout, code } = await run("verify -", { stdin: JSON.stringify({ ...receipt, ...change }) });
      expect(stdout).toMatch(/^✗ NOT VALID\./);
      expect(code).toBe(4);
    });

    test("exits with 7 if the node does not answer, and names the offline options", async () => {
      const { stderr, code } = await run(
        `verify - --rpc http://127.0.0.1:9 --registry ${inbox} --inbox ${inbox}`,
        { stdin },
      );
      expect(stderr).toContain("The node at --rpc doesn't answer");
      expect(stderr).toContain("--signer");
      expect(code).toBe(7);
    });

    test("exits with 6 if the node has no such registry", async () => {
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
      expect(stderr).toContain("Could not read the signer");
      expect(code).toBe(6);
    });
  });
});
