import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { choose, press, write } from "../hands.ts";
import type { Page } from "playwright-core";
import { sights, type Harness } from "../harness.ts";
import { button, openWallet } from "./proposals.ts";

const aPublicKey = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" })
    .publicKey.export({ format: "pem", type: "spki" })
    .toString();

/** While agents can act without the owner, every page says so, and none claims the opposite. */
async function expectBannerAndFooter(page: Page): Promise<void> {
  const banner = page.getByRole("complementary", { name: "Automatic approval" });
  for (const [link, title] of [
    ["Inbox", "Inbox"],
    ["Agents", "Agents"],
  ] as const) {
    await page.getByRole("link", { name: link, exact: true }).click();
    await page.getByRole("heading", { name: title, level: 1 }).waitFor();
    await banner.getByText("approved and sent without asking you").waitFor();
    expect(await page.getByRole("contentinfo").innerText()).toMatch(/approved automatically/);
    expect(await page.getByText(/never approve for you|Only you, or a mandate/).count()).toBe(0);
  }
}

export const settingsFlows = (harness: () => Harness): void => {
  describe("settings", () => {
    test.each(sights)(
      "shows the execution type that the service confirmed: $screen, $scheme",
      async (sight) => {
        const owner = await harness().makeOwner();
        const visit = await harness().visit({ owner, ...sight });
        const { page } = visit;
        await visit.goto("/settings");
        const careful = page.getByRole("radio", { name: "You approve everything" });
        const save = button(page, "Save");
        await careful.waitFor();
        expect([await careful.isChecked(), await save.isDisabled()]).toEqual([true, true]);
        expect(await visit.axe()).toEqual([]);
        await choose(visit, page.getByRole("radio", { name: "Matches are approved and sent" }));
        await page.getByText("Payments can leave without you seeing them first").waitFor();
        expect((await owner.client.settings()).executionType).toBe(1);
        expect(await page.getByRole("radio", { name: "24 hours" }).isChecked()).toBe(true);
        await choose(visit, page.getByRole("radio", { name: "7 days" }));
        expect(await visit.axe()).toEqual([]);
        await openWallet(visit);
        await press(visit, button(page, "Sign and save"));
        await page.getByText("Active: Matches are approved and sent").waitFor();
        const [signed] = visit.wallet.asked.filter(({ method }) => method === "personal_sign");
        expect(Buffer.from(String(signed?.params?.[0]).slice(2), "hex").toString()).toContain(
          "method: PUT\ntarget: /settings?executionType=2\n",
        );
        await expectBannerAndFooter(page);
        expect(await owner.client.settings()).toMatchObject({
          executionType: 2,
          repeatWindowSeconds: 604_800,
        });
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test("claims nothing about approvals until the settings are known", async () => {
      const owner = await harness().makeOwner();
      await owner.client.updateSettings({ executionType: 0 });
      const visit = await harness().visit({ owner });
      const { page } = visit;
      const released = Promise.withResolvers<undefined>();
      await page.route("**/api/settings", async (route) => {
        await released.promise;
        await route.continue();
      });
      await visit.goto("/transactions");
      await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
      const footer = page.getByRole("contentinfo");
      expect(await footer.innerText()).not.toMatch(/Only you|automatically/);
      released.resolve(undefined);
      await footer.getByText("approved automatically").waitFor();
      const banner = page.getByRole("complementary", { name: "Automatic approval" });
      await banner.getByText("approved without asking you. You send them.").waitFor();
      await visit.close();
    });

    test("returns to approving everything without a signature", async () => {
      const owner = await harness().makeOwner();
      await owner.client.updateSettings({ executionType: 2 });
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto("/settings");
      await page.getByRole("complementary", { name: "Automatic approval" }).waitFor();
      await page.getByRole("radio", { name: "You approve everything" }).click();
      await press(visit, button(page, "Save"));
      await page.getByText("Active: You approve everything").waitFor();
      await page.getByRole("complementary", { name: "Automatic approval" }).waitFor({ state: "detached" });
      expect(visit.wallet.asked.filter(({ method }) => method === "personal_sign")).toEqual([]);
      await visit.close();
    });

    test("does not show an unconfirmed change as active", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner });
      await visit.goto("/settings");
      await visit.page.route("**/api/settings*", (route) =>
        route.request().method() === "PUT"
          ? route.fulfill({
              status: 503,
              json: { statusCode: 503, message: "Away", error: "Service Unavailable" },
            })
          : route.continue(),
      );
      await visit.page.getByRole("radio", { name: "Matches are approved, you send" }).click();
      await visit.page.getByText("None. Any proposal that matches").waitFor();
      await openWallet(visit);
      await press(visit, button(visit.page, "Sign and save"));
      await visit.page.getByText("Couldn’t save the change").waitFor();
      expect(await visit.page.getByText("Active: You approve everything").count()).toBe(1);
      await visit.close();
    });

    test.each(sights)("hides the public profile, and shows it again: $screen, $scheme", async (sight) => {
      const owner = await harness().makeOwner();
      // Automatic approval does not matter here: nothing about it changes, so no wallet is needed.
      await owner.client.updateSettings({ executionType: 2 });
      const visit = await harness().visit({ owner, ...sight });
      const { page } = visit;
      /** As a new visitor: browsers keep a profile for 15 seconds. */
      const expectPublic = async (text: string): Promise<void> => {
        const visitor = await harness().visit(sight);
        await visitor.goto(`/agents/${owner.account.address}`);
        await visitor.page.getByText(text).waitFor();
        await visitor.close();
      };
      await expectPublic("Match rate");
      await visit.goto("/settings");
      const profile = page.getByRole("region", { name: "Public profile" });
      await profile.getByRole("link", { name: "View it" }).waitFor();
      await press(visit, profile.getByRole("switch", { name: "Show my public profile" }));
      await profile.getByText("Hidden.").waitFor();
      expect(await visit.axe()).toEqual([]);
      expect(await owner.client.settings()).toMatchObject({ executionType: 2, publicProfile: false });
      await expectPublic("There’s no account with this address.");
      await visit.goto("/access");
      await page.getByRole("heading", { name: "Agents and keys" }).waitFor();
      await page.getByText("API keys").first().waitFor();
      expect(await page.getByRole("link", { name: "View public profile" }).count()).toBe(0);
      await visit.goto("/settings");
      await press(visit, profile.getByRole("switch", { name: "Show my public profile" }));
      await profile.getByRole("link", { name: "View it" }).waitFor();
      await expectPublic("Match rate");
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("shows a profile as public until the service confirms that it is hidden", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto("/settings");
      const profile = page.getByRole("region", { name: "Public profile" });
      await page.route("**/api/settings", (route) =>
        route.request().method() === "PATCH" ? route.abort("connectionreset") : route.continue(),
      );
      await profile.getByRole("switch").click();
      await profile.getByText("Couldn’t save the change").waitFor();
      expect(await profile.getByRole("switch").getAttribute("aria-checked")).toBe("true");
      await visit.close();
    });

    test("ends another session, then all sessions", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner, screen: "phone" });
      const { page } = visit;
      await visit.goto("/settings");
      await page.getByText("This browser").waitFor();
      await press(visit, page.getByRole("button", { name: /^Sign out .*Signed in/ }));
      await page.getByRole("button", { name: /^Sign out .*Signed in/ }).waitFor({ state: "detached" });
      // The ended session was the HTTP client's.
      await expect(owner.client.settings()).rejects.toThrow();
      await press(visit, page.getByRole("button", { name: "Sign out everywhere" }));
      await page.getByRole("dialog").getByText("API keys keep working").waitFor();
      expect(await visit.axe()).toEqual([]);
      await press(visit, page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }));
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect((await visit.context.cookies()).filter(({ name }) => name.includes("cs_"))).toEqual([]);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("sets, shows and deletes the owner's signing keys", async () => {
      const visit = await harness().visit({ owner: await harness().makeOwner() });
      const { page } = visit;
      await visit.goto("/settings");
      const quorum = page.getByRole("region", { name: "For your agents" });
      await press(visit, quorum.getByRole("button", { name: "Set up" }));
      await write(visit, quorum.getByLabel("Name"), "<b>our</b> quorum");
      await write(visit, quorum.getByLabel("Public keys"), `${aPublicKey()}\n${aPublicKey()}`);
      await quorum.getByText("2 keys found").waitFor();
      await write(visit, quorum.getByLabel("Signatures needed"), "2");
      expect(await visit.axe()).toEqual([]);
      await press(visit, quorum.getByRole("button", { name: "Save keys" }));
      await quorum.getByText("2 of 2").waitFor();
      expect(await quorum.getByText("<b>our</b> quorum").count()).toBe(1);
      await press(visit, quorum.getByRole("button", { name: "Delete" }));
      await press(visit, page.getByRole("dialog").getByRole("button", { name: "Delete keys" }));
      await quorum.getByText("Not set", { exact: true }).waitFor();
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });
  });
};
