// Untrusted text: shown as text, with hidden characters made visible.
import { beforeAll, describe, expect, test } from "vitest";
import { parseEther } from "viem";
import type { Owner, Harness, Visit } from "../harness.ts";

const markup = `<img src=x onerror="window.owned=1"><script>window.owned=1</script><b>Alice</b>`;
const hidden = "US\u200BDC \u202Egnp.exe\u202C \u2066x\u2069";
const alice = "0x742d35Cc6634C0532925a3b844Bc454e4438f44e";
const words = `Send 0.01 ETH to ${alice} ${markup} ${hidden}`;

async function expectInert({ page, complaints }: Visit): Promise<void> {
  expect(await page.evaluate(() => "owned" in window)).toBe(false);
  expect(await page.locator("img[src=x], main script, main b").count()).toBe(0);
  const shown = await page.locator("main").innerText();
  expect(shown).not.toMatch(/[\u200B\u202A-\u202E\u2066-\u2069]/);
  expect(complaints).toEqual([]);
}

export const hostileFlows = (harness: () => Harness): void => {
  describe("untrusted text", () => {
    let owner: Owner;
    let requestHash: string;

    beforeAll(async () => {
      owner = await harness().makeOwner();
      const { client } = await harness().makeAgent(owner);
      ({ requestHash } = await client.propose({
        userPrompt: words,
        tx: { to: alice, value: parseEther("0.01") },
      }));
      await client.waitForVerdict(requestHash);
      await owner.client.keys.create({ name: `${markup.slice(0, 60)} \u202Eevil` });
    });

    test("is inert in the inbox and on the transaction page, and shows hidden characters", async () => {
      const visit = await harness().visit({ owner, screen: "phone" });
      for (const path of ["/transactions?tab=blocked", `/transactions/${requestHash}`]) {
        await visit.goto(path);
        await visit.page.getByText("<b>Alice</b>").first().waitFor();
        expect(await visit.page.getByText("U+202E").count()).toBeGreaterThan(0);
        expect(await visit.page.getByText("U+200B").count()).toBeGreaterThan(0);
        await expectInert(visit);
      }
      await visit.close();
    });

    test("is inert in key names", async () => {
      const visit = await harness().visit({ owner });
      await visit.goto("/access");
      await visit.page.getByText("U+202E").first().waitFor();
      await expectInert(visit);
      await visit.close();
    });

    test("is inert on the page to try a check", async () => {
      const visit = await harness().visit({ screen: "phone" });
      await visit.goto("/try");
      await visit.page.getByLabel("What you asked").first().fill(words);
      await visit.page.getByLabel("To", { exact: true }).first().fill(alice);
      await visit.page.getByRole("button", { name: "Check", exact: true }).first().click();
      await visit.page.getByRole("heading", { name: "What you asked", exact: true }).waitFor();
      await expectInert(visit);
      await visit.close();
    });
  });
};
