import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { choose, press, write } from "../hands.ts";
import { sights, type Harness, type Visit } from "../harness.ts";

async function fillSubject(visit: Visit, name = "countersign agent"): Promise<void> {
  const { page } = visit;
  await write(visit, page.getByLabel("Key name"), name);
  await write(visit, page.getByLabel("Organization"), 'Example, "<b>&" AG');
  await write(visit, page.getByLabel("Country"), "ch");
}

/** Downloads the CSR and returns the file. */
async function downloadCsr(visit: Visit): Promise<{ readonly name: string; readonly csr: string }> {
  const [download] = await Promise.all([
    visit.page.waitForEvent("download"),
    press(visit, visit.page.getByRole("link", { name: "Download CSR" })),
  ]);
  return { name: download.suggestedFilename(), csr: readFileSync(await download.path(), "utf8") };
}

/** Acts as the custodian's administrator: creates a vault, and an API user for the CSR. */
async function admit(
  custodian: string,
  csr: string,
): Promise<{ readonly vault: string; readonly apiKey: string }> {
  const made = await fetch(`${custodian}/stand-in/vaults`, { method: "POST" });
  const { vaultAccountId: vault } = (await made.json()) as { vaultAccountId: string };
  const user = await fetch(`${custodian}/stand-in/users`, {
    method: "POST",
    body: JSON.stringify({ csr, vaultAccountId: vault }),
  });
  return { vault, ...((await user.json()) as { apiKey: string }) };
}

async function bring(visit: Visit, apiKey: string, vault: string): Promise<void> {
  const { page } = visit;
  const field = page.getByLabel("API key of the API user");
  expect([await field.getAttribute("type"), await field.getAttribute("autocomplete")]).toEqual([
    "password",
    "off",
  ]);
  await write(visit, field, apiKey);
  await write(visit, page.getByLabel("Vault account"), vault);
  await press(visit, page.getByRole("button", { name: "Save", exact: true }));
}

export const custodyFlows = (harness: () => Harness): void => {
  describe("setting up custody", () => {
    test.each(sights)("sets up a working connection from a new key: $screen, $scheme", async (sight) => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner, ...sight });
      const { page } = visit;
      await visit.goto("/settings");
      await press(visit, page.getByRole("link", { name: "Set up custody" }));
      await page.getByText("Not set up", { exact: true }).waitFor();
      await fillSubject(visit);
      expect(await visit.axe()).toEqual([]);
      await press(visit, page.getByRole("button", { name: "Create key and CSR" }));
      await page.getByRole("link", { name: "Download CSR" }).waitFor({ timeout: 60_000 });
      const { name, csr } = await downloadCsr(visit);
      expect(name).toBe("countersign-agent.csr");
      expect(csr).toMatch(/^-----BEGIN CERTIFICATE REQUEST-----\n/);

      const { vault, apiKey } = await admit(harness().stack.urls.custodian, csr);
      await bring(visit, "not-a-valid-key", vault);
      await page.getByText("Set up", { exact: true }).waitFor();
      await press(visit, page.getByRole("button", { name: "Test the connection" }));
      await page.getByText("The custodian refused the credential").waitFor();
      expect(await visit.axe()).toEqual([]);

      await press(visit, page.getByRole("button", { name: "Change API key or vault" }));
      await bring(visit, apiKey, vault);
      await page.getByText("Saved", { exact: true }).waitFor();
      expect(await page.getByLabel("API key of the API user").inputValue()).toBe("");
      await press(visit, page.getByRole("button", { name: "Test the connection" }));
      await page.getByText("It works").waitFor();
      await page.getByRole("button", { name: /the vault’s wallet 0x.*show in full/ }).waitFor();
      expect(await page.content()).not.toContain(apiKey);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("replaces the key only after a tick, and then waits for the custodian again", async () => {
      const owner = await harness().makeOwner();
      const subject = { commonName: "first", organization: "Example", country: "CH" };
      await owner.client.request("/custody/generate-csr/execution", {
        ...{ method: "POST", body: subject, timeoutMs: 60_000 },
      });
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto("/settings/custody");
      await choose(visit, page.getByRole("radio", { name: "For what you send" }));
      const { csr: former } = await downloadCsr(visit);
      await press(visit, page.getByRole("button", { name: "Create another key" }));
      const replace = page.getByRole("button", { name: "Replace key" });
      await fillSubject(visit, "second");
      expect(await replace.isDisabled()).toBe(true);
      await press(visit, page.getByRole("checkbox"));
      await press(visit, replace);
      // The form clears the tick once the new key exists.
      await page.getByRole("checkbox", { checked: false }).waitFor({ timeout: 60_000 });
      const { csr } = await downloadCsr(visit);
      expect(csr).not.toBe(former);
      await visit.close();
    });
  });
};
