import { describe, expect, test } from "vitest";
import { startReplica } from "../replica.ts";
import { startWeb } from "../stack.ts";
import type { Harness } from "../harness.ts";
import { begin, button, heading, makeScene, payment } from "./proposals.ts";

const needed = "Needs your decision";
const ready = "Approved. Send it with your wallet.";
const unknownOutcome = "We don’t know if your decision arrived";

/** Opens a pending proposal on a page whose API process the test can kill. */
async function visitKillableService(harness: Harness, onEnd: (end: () => Promise<void>) => void) {
  const { owner, agent } = await makeScene(harness);
  const requestHash = await payment(agent);
  const replica = await startReplica(harness.stack.apiPid);
  onEnd(replica.end);
  const web = await startWeb(harness.pages, replica.url, harness.stack.urls.api);
  onEnd(web.stop);
  const visit = await harness.visit({ owner, url: web.url });
  onEnd(visit.close);
  await visit.goto(`/transactions/${requestHash}`);
  await button(visit.page, "Approve").and(visit.page.locator(":enabled")).waitFor();
  return { owner, requestHash, replica, visit, page: visit.page };
}

export const truthFlows = (harness: () => Harness): void => {
  describe("the page shows the confirmed state, or says that it is unknown", () => {
    test("when the answer to a recorded decision is lost", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await page.route("**/approvals?*", async (route) => {
        await route.fetch();
        await route.abort("connectionreset");
      });
      await begin(visit, "Approve");
      await button(page, "Continue in wallet").click();
      await page.getByText("Saved: you approved this.").waitFor();
      expect((await owner.client.transaction(requestHash)).approvals.user).toHaveLength(1);
      expect(await page.getByText("Recorded at").count()).toBe(0);
      await visit.close();
    });

    test("when a decision is lost in transit; a retry counts once", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      const keys: (string | undefined)[] = [];
      page.on("request", (request) => {
        if (request.method() === "POST" && request.url().includes("/approvals"))
          keys.push(request.headers()["idempotency-key"]);
      });
      await page.route("**/approvals?*", (route) => route.abort("connectionreset"));
      await begin(visit, "Approve");
      await button(page, "Continue in wallet").click();
      await page.getByText(unknownOutcome).waitFor();
      await page.getByText(/it hadn’t arrived/).waitFor();
      expect(await heading(page, needed).count()).toBe(1);
      expect((await owner.client.transaction(requestHash)).approvals.user).toEqual([]);
      await page.unroute("**/approvals?*");
      await button(page, "Try again in wallet").click();
      await page.getByText("Recorded at").waitFor();
      expect(keys).toHaveLength(2);
      expect(keys[0]).toBe(keys[1]);
      expect((await owner.client.transaction(requestHash)).approvals.user).toHaveLength(1);
      await visit.close();
    });

    test("while the service is slow", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      const held = Promise.withResolvers<undefined>();
      await page.route("**/approvals?*", async (route) => {
        await held.promise;
        await route.continue();
      });
      await begin(visit, "Approve");
      await button(page, "Continue in wallet").click();
      await page.getByText("Sending your decision. Not confirmed yet.").waitFor();
      expect(await heading(page, needed).count()).toBe(1);
      expect(await page.getByText("Recorded at").count()).toBe(0);
      // The state stays visible after the dialog is closed.
      await page.keyboard.press("Escape");
      await page.getByText("Sending your decision. Not confirmed yet.").waitFor();
      held.resolve(undefined);
      await heading(page, ready).waitFor();
      await visit.close();
    });

    test("when the proposal is withdrawn or expires while the page is open", async () => {
      const { owner, agent } = await makeScene(harness());
      const visit = await harness().visit({ owner });
      const { page } = visit;
      const withdrawn = await payment(agent);
      await visit.goto(`/transactions/${withdrawn}`);
      await heading(page, needed).waitFor();
      await agent.client.withdraw(withdrawn);
      await heading(page, "Withdrawn").waitFor();
      expect(await button(page, "Approve").count()).toBe(0);
      await visit.goto(`/transactions/${await payment(agent, "0.02", 20)}`);
      await heading(page, "Expired").waitFor({ timeout: 60_000 });
      expect(await button(page, "Approve").count()).toBe(0);
      await visit.close();
    });

    test("when a stale answer arrives after a newer one", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const old = await owner.client.transaction(requestHash);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await heading(page, needed).waitFor();
      await owner.client.reject(requestHash);
      await heading(page, "You rejected this").waitFor();
      let late = 0;
      await page.route(`**/api/transactions/${requestHash}`, (route) => {
        late++;
        return route.fulfill({ json: old });
      });
      await page.evaluate(() => {
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      });
      await page.getByText(/Not connected\. This is as of/).waitFor();
      expect(late).toBeGreaterThan(0);
      await heading(page, "You rejected this").waitFor();
      expect(await button(page, "Approve").count()).toBe(0);
      await visit.close();
    });

    test("when the service is down from the start", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await page.route("**/api/**", (route) => route.abort("connectionrefused"));
      await visit.goto(`/transactions/${requestHash}`);
      await heading(page, "Couldn’t load this transaction").waitFor();
      expect(await button(page, "Approve").count()).toBe(0);
      expect(await visit.axe()).toEqual([]);
      await page.unroute("**/api/**");
      await heading(page, needed).waitFor();
      await visit.close();
    });

    test("when the service is killed while the page is open, and when it is back", async ({
      onTestFinished,
    }) => {
      const { owner, requestHash, replica, page } = await visitKillableService(harness(), onTestFinished);
      await replica.kill();
      await page.getByText(/Not connected\. This is as of \d\d:\d\d:\d\d\./).waitFor();
      await page.getByText("Approving is off until we reconnect. You can still").waitFor();
      expect(await button(page, "Approve").isDisabled()).toBe(true);
      expect(await button(page, "Reject").isEnabled()).toBe(true);
      // A change during the outage shows only after the restart.
      await owner.client.reject(requestHash);
      expect(await heading(page, needed).count()).toBe(1);
      await replica.start();
      await heading(page, "You rejected this").waitFor();
      expect(await page.getByText(/Not connected\. This is as of/).count()).toBe(0);
    });

    test("when the service is killed while it processes a decision", async ({ onTestFinished }) => {
      const { owner, requestHash, replica, visit, page } = await visitKillableService(
        harness(),
        onTestFinished,
      );
      await begin(visit, "Approve");
      // After the last look at the record, before the decision is sent.
      visit.wallet.beforeSigning = replica.freeze;
      await button(page, "Continue in wallet").click();
      await page.getByText("Sending your decision. Not confirmed yet.").waitFor();
      visit.wallet.beforeSigning = undefined;
      await replica.kill();
      await page.getByText(unknownOutcome).waitFor();
      expect(await heading(page, needed).count()).toBe(1);
      expect(await page.getByText("Recorded at").count()).toBe(0);
      await replica.start();
      await page.getByText(/it hadn’t arrived/).waitFor();
      await button(page, "Try again in wallet").click();
      await page.getByText("Recorded at").waitFor();
      expect((await owner.client.transaction(requestHash)).approvals.user).toHaveLength(1);
    });

    test("polls when the event stream is lost", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await page.route("**/api/events", (route) => route.abort("connectionreset"));
      await visit.goto(`/transactions/${requestHash}`);
      await heading(page, needed).waitFor();
      await page.getByText("You’re offline").waitFor();
      await owner.client.reject(requestHash);
      await heading(page, "You rejected this").waitFor();
      await visit.close();
    });
  });
};
