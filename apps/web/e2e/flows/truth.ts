import { describe, expect, test } from "vitest";
import { startReplica } from "../replica.ts";
import { startWeb } from "../stack.ts";
import type { Harness } from "../harness.ts";
import { begin, button, heading, makeScene, payment } from "./proposals.ts";

const needed = "Your decision is needed";
const ready = "Approved: your wallet has yet to send it";
const notKnown = "It is not known whether your decision arrived";

/** A page in front of a process of the service that may be killed, looking at what waits for its owner. */
async function makeMortal(harness: Harness, onEnd: (end: () => Promise<void>) => void) {
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
  describe("what is on screen is true, or said to be unknown", () => {
    test("when the answer to a decision is lost, and the decision arrived", async () => {
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
      await button(page, "Sign and approve").click();
      await page.getByText("The record has it: you approved this.").waitFor();
      expect((await owner.client.transaction(requestHash)).approvals.user).toHaveLength(1);
      expect(await page.getByText("Recorded:").count()).toBe(0);
      await visit.close();
    });

    test("when a decision is lost on its way; sent again it counts once", async () => {
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
      await button(page, "Sign and approve").click();
      await page.getByText(notKnown).waitFor();
      await page.getByText(/the record has no such decision of yours/).waitFor();
      expect(await heading(page, needed).count()).toBe(1);
      expect((await owner.client.transaction(requestHash)).approvals.user).toEqual([]);
      await page.unroute("**/approvals?*");
      await button(page, "Sign and approve again").click();
      await page.getByText("Recorded: you approved this.").waitFor();
      expect(keys).toHaveLength(2);
      expect(keys[0]).toBe(keys[1]);
      expect((await owner.client.transaction(requestHash)).approvals.user).toHaveLength(1);
      await visit.close();
    });

    test("while the service takes its time", async () => {
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
      await button(page, "Sign and approve").click();
      await page.getByText("Sending. Not confirmed yet.").waitFor();
      expect(await heading(page, needed).count()).toBe(1);
      expect(await page.getByText("Recorded").count()).toBe(0);
      // Who leaves the dialog is told all the same.
      await page.keyboard.press("Escape");
      await page.getByText("Sending. Not confirmed yet.").waitFor();
      held.resolve(undefined);
      await heading(page, ready).waitFor();
      await visit.close();
    });

    test("when it is over while somebody looks: taken back by its agent, or out of time", async () => {
      const { owner, agent } = await makeScene(harness());
      const visit = await harness().visit({ owner });
      const { page } = visit;
      const withdrawn = await payment(agent);
      await visit.goto(`/transactions/${withdrawn}`);
      await heading(page, needed).waitFor();
      await agent.client.withdraw(withdrawn);
      await heading(page, "It was taken back").waitFor();
      expect(await button(page, "Approve").count()).toBe(0);
      await visit.goto(`/transactions/${await payment(agent, "0.02", 20)}`);
      await heading(page, "It expired").waitFor({ timeout: 60_000 });
      expect(await button(page, "Approve").count()).toBe(0);
      await visit.close();
    });

    test("when an older answer comes after a newer one", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const old = await owner.client.transaction(requestHash);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto(`/transactions/${requestHash}`);
      await heading(page, needed).waitFor();
      await owner.client.reject(requestHash);
      await heading(page, "You rejected it").waitFor();
      let late = 0;
      await page.route(`**/api/transactions/${requestHash}`, (route) => {
        late++;
        return route.fulfill({ json: old });
      });
      await page.evaluate(() => {
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      });
      await page.getByText(/Whether it is still so is not known/).waitFor();
      expect(late).toBeGreaterThan(0);
      await heading(page, "You rejected it").waitFor();
      expect(await button(page, "Approve").count()).toBe(0);
      await visit.close();
    });

    test("when the service is away from the beginning", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await page.route("**/api/**", (route) => route.abort("connectionrefused"));
      await visit.goto(`/transactions/${requestHash}`);
      await heading(page, "The transaction could not be read").waitFor();
      expect(await button(page, "Approve").count()).toBe(0);
      expect(await visit.axe()).toEqual([]);
      await page.unroute("**/api/**");
      await heading(page, needed).waitFor();
      await visit.close();
    });

    test("when the service is killed while somebody looks, and when it is back", async ({
      onTestFinished,
    }) => {
      const { owner, requestHash, replica, page } = await makeMortal(harness(), onTestFinished);
      await replica.kill();
      await page.getByText(/As of \d\d:\d\d:\d\d. Whether it is still so is not known/).waitFor();
      await page.getByText("A decision cannot be confirmed right now.").waitFor();
      expect(await button(page, "Approve").isDisabled()).toBe(true);
      expect(await button(page, "Reject").isEnabled()).toBe(true);
      // What happens meanwhile is seen when it is back, and not before.
      await owner.client.reject(requestHash);
      expect(await heading(page, needed).count()).toBe(1);
      await replica.start();
      await heading(page, "You rejected it").waitFor();
      expect(await page.getByText(/Whether it is still so is not known/).count()).toBe(0);
    });

    test("when the service is killed with a decision in its hands", async ({ onTestFinished }) => {
      const { owner, requestHash, replica, visit, page } = await makeMortal(harness(), onTestFinished);
      await begin(visit, "Approve");
      await page.getByLabel("The text to sign").waitFor();
      replica.freeze();
      await button(page, "Sign and approve").click();
      await page.getByText("Sending. Not confirmed yet.").waitFor();
      await replica.kill();
      await page.getByText(notKnown).waitFor();
      expect(await heading(page, needed).count()).toBe(1);
      expect(await page.getByText("Recorded").count()).toBe(0);
      await replica.start();
      await page.getByText(/the record has no such decision of yours/).waitFor();
      await button(page, "Sign and approve again").click();
      await page.getByText("Recorded: you approved this.").waitFor();
      expect((await owner.client.transaction(requestHash)).approvals.user).toHaveLength(1);
    });

    test("when nobody tells the page of changes any more, it looks for itself", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await page.route("**/api/events", (route) => route.abort("connectionreset"));
      await visit.goto(`/transactions/${requestHash}`);
      await heading(page, needed).waitFor();
      await page.getByText("Not connected to the service").waitFor();
      await owner.client.reject(requestHash);
      await heading(page, "You rejected it").waitFor();
      await visit.close();
    });
  });
};
