import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { CDPSession } from "playwright-core";
import { describe, expect, test } from "vitest";
import { waitUntil } from "../../../../tools/engines/wait.ts";
import { startPushStandIn, type PushSubscription } from "../../../../tools/stand-ins/push/stand-in.ts";
import { press } from "../hands.ts";
import type { Harness, Visit } from "../harness.ts";
import { button, heading, makeScene, payment } from "./proposals.ts";

/**
 * Gives the browser a subscription at the test double: Chromium's own push service is on the internet. Everything else is the
 * browser's: the permission, the service worker, and what it does with a message.
 */
function usePushService(given: PushSubscription & { readonly publicKey: string }): void {
  const bytesOf = (text: string): ArrayBuffer =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.codePointAt(0) ?? 0)
      .buffer;
  const subscription = {
    endpoint: given.endpoint,
    options: { applicationServerKey: bytesOf(given.publicKey) },
    getKey: (name: "p256dh" | "auth") => bytesOf(given.keys[name]),
    unsubscribe: async () => {
      sessionStorage.removeItem("subscribed");
      return true;
    },
  };
  const prototype = PushManager.prototype as unknown as Record<string, unknown>;
  prototype["subscribe"] = async ({ applicationServerKey }: { readonly applicationServerKey: string }) => {
    if (applicationServerKey !== given.publicKey) throw new Error("another key");
    sessionStorage.setItem("subscribed", "yes");
    return subscription;
  };
  prototype["getSubscription"] = async () =>
    sessionStorage.getItem("subscribed") === "yes" ? subscription : null;
}

type Shown = {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly data: string;
  readonly actions?: unknown;
};

type Scope = {
  registration: { showNotification: (title: string, options: object) => Promise<void> };
  clients: { openWindow: (url: string) => Promise<null> };
  dispatchEvent: (event: Event) => boolean;
  /** Requests to the browser, recorded. */
  shown: object[];
  opened: string[];
};

/**
 * Records what the worker asks the browser for. The headless browser shows no notifications, and opens a window for a real click
 * only.
 */
function recordEffects(): void {
  const scope = self as unknown as Scope;
  [scope.shown, scope.opened] = [[], []];
  scope.registration.showNotification = async (title, options) => {
    scope.shown.push({ title, ...options });
  };
  scope.clients.openWindow = async (url) => {
    scope.opened.push(url);
    return null;
  };
}

/** Clicks a notification. An event from a script is not trusted, so the browser would not let it extend the worker's life. */
async function dispatchClick(
  data: string,
): Promise<{ readonly isClosed: boolean; readonly opened: string[] }> {
  const scope = self as unknown as Scope;
  const work: Promise<unknown>[] = [];
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
  };
  const members = { notification: { data, close }, waitUntil: (done: Promise<unknown>) => work.push(done) };
  scope.dispatchEvent(Object.assign(new Event("notificationclick"), members));
  await Promise.all(work);
  return { isClosed, opened: scope.opened };
}

type Pushed = {
  /** Delivers a message to the service worker as the browser's push client does. */
  readonly deliver: (data: string) => Promise<void>;
  readonly shown: () => Promise<readonly Shown[]>;
  readonly click: (data: string) => ReturnType<typeof dispatchClick>;
};

async function connectPush({ context, page, url }: Visit): Promise<Pushed> {
  const session: CDPSession = await context.newCDPSession(page);
  const registered = Promise.withResolvers<string>();
  session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    const [first] = registrations.filter(({ isDeleted }) => !isDeleted);
    if (first !== undefined) registered.resolve(first.registrationId);
  });
  await session.send("ServiceWorker.enable");
  const registrationId = await registered.promise;
  const [worker] = context.serviceWorkers();
  if (worker === undefined) throw new Error("no service worker");
  await worker.evaluate(recordEffects);
  return {
    deliver: async (data) => {
      await session.send("ServiceWorker.deliverPushMessage", { origin: url, registrationId, data });
    },
    shown: () => worker.evaluate(() => (self as unknown as Scope).shown as Shown[]),
    click: (data) => worker.evaluate(dispatchClick, data),
  };
}

/** Signs in an owner whose browser may show notifications and subscribes at the test double. */
async function makePushVisit(harness: Harness, onEnd: (end: () => Promise<void>) => void) {
  const push = await startPushStandIn();
  onEnd(push.close);
  const scene = await makeScene(harness);
  const visit = await harness.visit({ owner: scene.owner, screen: "phone" });
  onEnd(visit.close);
  await visit.context.grantPermissions(["clipboard-read", "clipboard-write", "notifications"]);
  const publicKey =
    (await scene.owner.client.channels.kinds()).find(({ kind }) => kind === "push")?.publicKey ?? "";
  await visit.page.addInitScript(usePushService, { ...push.subscribe(publicKey), publicKey });
  return { ...scene, push, visit, page: visit.page };
}

export const pushFlows = (harness: () => Harness): void => {
  describe("push to this browser", () => {
    test("notifies of a decision, and a click opens its page", async ({ onTestFinished }) => {
      const { owner, agent, push, visit, page } = await makePushVisit(harness(), onTestFinished);
      await visit.goto("/settings/notifications");
      await press(visit, button(page, "Add channel"));
      await press(visit, page.getByRole("dialog").getByRole("button", { name: "Allow notifications" }));
      const row = page
        .getByRole("listitem")
        .filter({ has: page.getByRole("heading", { name: "This browser" }) });
      await row.getByText(/on (?:Linux|Android)/).waitFor();
      expect(await visit.axe()).toEqual([]);
      await press(visit, row.getByRole("button", { name: /^Send test/ }));
      await row.getByText("Test delivered").waitFor();

      const requestHash = await payment(agent);
      const message = await waitUntil(
        "the push service has the message",
        () =>
          push.received.find(({ payload }) => String(payload["url"]).includes(requestHash))?.payload ?? false,
      );
      expect(push.refused).toEqual([]);
      const { deliver, shown, click } = await connectPush(visit);
      await deliver(JSON.stringify(message));
      const [notification] = await waitUntil("the notification is shown", async () => {
        const all = await shown();
        return all.length > 0 && all;
      });
      expect(notification).toEqual({
        ...{ title: "Needs your decision", icon: "/icon-192.png", badge: "/icon-192.png" },
        // A message that comes twice has the same tag, and replaces the first. There are no buttons that decide.
        ...{ tag: message["id"], body: expect.stringContaining("Send 0.01 ETH") as string },
        data: `/transactions/${requestHash}`,
      });

      const { isClosed, opened } = await click(notification?.data ?? "");
      expect([isClosed, opened]).toEqual([true, [`/transactions/${requestHash}`]]);
      // Nothing is decided yet: the page asks.
      expect((await owner.client.transaction(requestHash)).approvals.user).toEqual([]);
      await visit.goto(opened[0] ?? "");
      await heading(page, "Needs your decision").waitFor();

      await visit.goto("/settings/notifications");
      await press(visit, row.getByRole("button", { name: /^Delete/ }));
      await press(visit, page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }));
      await page.getByText("Nowhere yet.").waitFor();
      expect(await page.evaluate(() => sessionStorage.getItem("subscribed"))).toBeNull();
      expect(visit.complaints).toEqual([]);
    });

    test("shows a message that it cannot read, and never leaves this site", async ({ onTestFinished }) => {
      const { visit, page } = await makePushVisit(harness(), onTestFinished);
      await visit.goto("/settings/notifications");
      await press(visit, button(page, "Add channel"));
      await press(visit, page.getByRole("dialog").getByRole("button", { name: "Allow notifications" }));
      await page.getByRole("heading", { name: "This browser" }).waitFor();
      const { deliver, shown, click } = await connectPush(visit);
      const hostile = [
        ["not JSON", "News from Countersign"],
        ["[]", "News from Countersign"],
        [JSON.stringify({ id: "a", title: "A", url: "https://evil.example/x" }), "A"],
        [JSON.stringify({ id: "b", title: "B", url: "javascript:alert(1)" }), "B"],
        [JSON.stringify({ id: "c", title: "C", url: "/settings?executionType=2" }), "C"],
      ] as const;
      for (const [data] of hostile) await deliver(data);
      const all = await waitUntil("all are shown", async () => {
        const found = await shown();
        return found.length === hostile.length && found;
      });
      expect(all.map(({ title }) => title)).toEqual(hostile.map(([, title]) => title));
      expect(new Set(all.map(({ data }) => data))).toEqual(new Set(["/transactions"]));
      const { opened } = await click("https://evil.example/x");
      expect(opened).toEqual(["/transactions"]);
    });

    test("says what to do if notifications are blocked", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await page.addInitScript(() => {
        Notification.requestPermission = async () => "denied";
      });
      await visit.goto("/settings/notifications");
      await press(visit, button(page, "Add channel"));
      await press(visit, page.getByRole("dialog").getByRole("button", { name: "Allow notifications" }));
      await page.getByText("This browser blocks notifications from us.").waitFor();
      expect(await owner.client.channels.list()).toEqual([]);
      await visit.close();
    });

    test("keeps no copy of a page or an answer", async ({ onTestFinished }) => {
      const { visit, page } = await makePushVisit(harness(), onTestFinished);
      await visit.goto("/settings/notifications");
      await press(visit, button(page, "Add channel"));
      await press(visit, page.getByRole("dialog").getByRole("button", { name: "Allow notifications" }));
      await page.getByRole("heading", { name: "This browser" }).waitFor();
      await visit.goto("/transactions");
      await page.getByRole("heading", { level: 1 }).waitFor();
      expect(await page.evaluate(() => caches.keys())).toEqual([]);
      const source = readFileSync(join(harness().pages, "service-worker.js"), "utf8");
      expect(source).not.toMatch(/caches|["'`]fetch["'`]|importScripts|\bimport\b/);
    });
  });

  describe("the installed app", () => {
    test("has a manifest with icons of the given sizes, and a service worker for every page", async () => {
      const { url } = harness().web;
      const manifest = await fetch(`${url}/manifest.webmanifest`);
      expect(manifest.headers.get("content-type")).toContain("application/manifest+json");
      const { icons, start_url: start } = (await manifest.json()) as {
        readonly icons: readonly { src: string; sizes: string; type: string }[];
        readonly start_url: string;
      };
      expect(start).toBe("/transactions");
      for (const { src, sizes, type } of icons) {
        const icon = await fetch(`${url}${src}`);
        expect(icon.headers.get("content-type")).toContain(type);
        const bytes = Buffer.from(await icon.arrayBuffer());
        // A PNG has its size at byte 16.
        if (type === "image/png") expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(sizes);
      }
      const worker = await fetch(`${url}/service-worker.js`);
      expect(worker.headers.get("content-type")).toMatch(/^(?:text|application)\/javascript/);
      expect(worker.headers.get("cache-control")).toBe("no-cache");
      expect(worker.headers.get("service-worker-allowed")).toBeNull();
    });

    test("is offered by the browser without a complaint", async () => {
      const visit = await harness().visit();
      await visit.goto("/");
      await visit.page.getByRole("heading", { level: 1 }).waitFor();
      const session = await visit.context.newCDPSession(visit.page);
      const { errors } = await session.send("Page.getAppManifest");
      expect(errors).toEqual([]);
      const { installabilityErrors } = await session.send("Page.getInstallabilityErrors");
      // A window of a test is incognito, in which nothing can be installed.
      expect(installabilityErrors.filter(({ errorId }) => errorId !== "in-incognito")).toEqual([]);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });
  });
};
