import { describe, expect, test } from "vitest";
import { press } from "../hands.ts";
import { sights, type Harness } from "../harness.ts";

export const signInFlows = (harness: () => Harness): void => {
  describe("signing in", () => {
    test.each(sights)(
      "takes a wallet signature, and stores nothing that a script can read: $screen, $scheme",
      async (sight) => {
        const owner = await harness().makeOwner();
        const visit = await harness().visit({ owner, ...sight, isSignedIn: false });
        await visit.goto("/transactions");
        await press(visit, visit.page.getByRole("button", { name: "Test Wallet" }));
        await visit.page.getByRole("heading", { name: "Inbox" }).waitFor();
        expect(visit.wallet.asked.map(({ method }) => method)).toContain("personal_sign");
        const readable = await visit.page.evaluate(() => [
          document.cookie,
          JSON.stringify(Object.entries(localStorage)),
          JSON.stringify(Object.entries(sessionStorage)),
        ]);
        expect(readable.join(" ")).not.toMatch(/eyJ/);
        expect(readable[0]).toBe("");
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test("does nothing when the owner declines, and says so", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner, isSignedIn: false });
      await visit.goto("/sign-in");
      visit.wallet.refuse = true;
      await visit.page.getByRole("button", { name: "Test Wallet" }).click();
      await visit.page.getByText("You declined in your wallet. Nothing was sent.").waitFor();
      expect(await visit.context.cookies()).toEqual([]);
      await visit.close();
    });

    test("offers sign-in only once the session is known, without a layout shift", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner, screen: "phone" });
      const { page } = visit;
      const held = Promise.withResolvers<undefined>();
      await page.route("**/session", async (route) => {
        await held.promise;
        await route.continue();
      });
      await visit.goto("/transactions");
      await page.getByRole("status").getByText("Loading your account").waitFor({ state: "attached" });
      expect(await page.getByRole("link", { name: "Sign in" }).count()).toBe(0);
      const footer = await page.getByRole("contentinfo").boundingBox();
      expect(footer?.y).toBeGreaterThan(page.viewportSize()?.height ?? Infinity);
      held.resolve(undefined);
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      await visit.close();
    });

    test("opens the page in a wallet app from a phone without a wallet", async () => {
      const visit = await harness().visit({ screen: "phone", scheme: "dark", hasWallet: false });
      const { page } = visit;
      await visit.goto("/transactions?q=a");
      await page.getByText("Phone browsers have no wallet of their own.").waitFor();
      const { host } = new URL(visit.url);
      expect(await page.getByRole("link", { name: "Open in MetaMask" }).getAttribute("href")).toBe(
        `https://metamask.app.link/dapp/${host}/transactions?q=a`,
      );
      expect(await page.getByRole("link", { name: /^Open in/ }).count()).toBe(3);
      expect(await visit.axe()).toEqual([]);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("shows a QR code of the page in a desktop browser without a wallet", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner, isSignedIn: false, hasWallet: false });
      const { page } = visit;
      await visit.goto("/sign-in");
      await page.getByText("Install or unlock a wallet extension, then reload.").waitFor();
      const code = page.getByRole("img", { name: "QR code of this page’s address" });
      await code.waitFor();
      expect((await code.locator("path").getAttribute("d"))?.length).toBeGreaterThan(1000);
      expect(await visit.axe()).toEqual([]);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("ends when the owner signs out", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner });
      await visit.goto("/transactions");
      await press(visit, visit.page.getByRole("button", { name: "Sign out" }));
      await visit.page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect(await visit.context.cookies()).toEqual([]);
      await visit.close();
    });
  });
};
