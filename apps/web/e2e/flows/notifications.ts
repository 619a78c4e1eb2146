import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { waitUntil } from "../../../../tools/engines/wait.ts";
import { startChatStandIn } from "../../../../tools/stand-ins/chat/stand-in.ts";
import { aMailServer } from "../../../../tools/stand-ins/mail/stand-in.ts";
import { choose, press, write } from "../hands.ts";
import { sights, type Harness, type Visit } from "../harness.ts";
import { startReplica } from "../replica.ts";
import { startWeb } from "../stack.ts";
import { button, makeScene, payment } from "./proposals.ts";

type Received = { readonly headers: IncomingHttpHeaders; readonly body: string };
type Receiver = { readonly url: string; readonly received: Received[]; status: number };
type OnEnd = (end: () => Promise<void> | void) => void;

/** A program that receives webhooks. */
async function startReceiver(onEnd: OnEnd): Promise<Receiver> {
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      receiver.received.push({ headers: request.headers, body });
      response.writeHead(receiver.status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = { url: `http://127.0.0.1:${port}/hook`, received: [], status: 204 };
  onEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}

/** Pages in front of an API process with a mail server and chats. */
async function visitWithKinds(harness: Harness, onEnd: OnEnd, sight: Partial<Visit>) {
  const [mails, chat] = await Promise.all([aMailServer(), startChatStandIn()]);
  onEnd(mails.close);
  onEnd(chat.close);
  const replica = await startReplica(harness.stack.apiPid, {
    ...{ SMTP_URL: mails.url, MAIL_FROM: "Countersign <countersign@example.org>" },
    ...{ SLACK_URL: chat.url, DISCORD_URL: `${chat.url}/api/webhooks`, TELEGRAM_URL: chat.url },
  });
  onEnd(replica.end);
  const web = await startWeb(harness.pages, replica.url, harness.stack.urls.api);
  onEnd(web.stop);
  const owner = await harness.makeOwner();
  const visit = await harness.visit({ owner, url: web.url, ...sight });
  onEnd(visit.close);
  return { mails, chat, owner, visit, page: visit.page };
}

const dialogOf = (page: Page): Locator => page.getByRole("dialog");
const rowOf = (page: Page, name: string): Locator =>
  page.getByRole("listitem").filter({ has: page.getByRole("heading", { level: 3, name }) });
const kindOf = (page: Page, name: string): Locator => dialogOf(page).getByRole("radio", { name });

/** Opens the dialog and chooses a kind. */
async function beginAdding(visit: Visit, kind: string): Promise<Locator> {
  const { page } = visit;
  await press(visit, button(page, "Add channel"));
  await choose(visit, kindOf(page, kind));
  return dialogOf(page);
}

export const notificationFlows = (harness: () => Harness): void => {
  describe("notifications", () => {
    test.each(sights)(
      "adds a webhook, tests it, delivers again and deletes it: $screen, $scheme",
      async (sight) => {
        const ends: (() => Promise<void> | void)[] = [];
        const receiver = await startReceiver((end) => ends.push(end));
        const { owner, agent } = await makeScene(harness());
        const visit = await harness().visit({ owner, ...sight });
        const { page } = visit;
        await visit.goto("/settings");
        await press(visit, page.getByRole("link", { name: "Set up notifications" }));
        await page.getByText("Nowhere yet.").waitFor();
        const dialog = await beginAdding(visit, "Webhook");
        await press(visit, dialog.getByRole("button", { name: "Add" }));
        await dialog.getByText("Enter an address that starts with https://.").waitFor();
        expect(await dialog.getByLabel("Address").evaluate((field) => field === document.activeElement)).toBe(
          true,
        );
        await write(visit, dialog.getByLabel("Address"), ` ${receiver.url} `);
        await write(visit, dialog.getByLabel("Name (optional)"), "<b>accounting</b>");
        expect(await visit.axe()).toEqual([]);
        await press(visit, dialog.getByRole("button", { name: "Add" }));
        await dialog.getByText("Copy the signing secret now").waitFor();
        const secret = (await dialog.locator("code").textContent()) ?? "";
        expect(secret).toMatch(/^whsec_/);
        await press(visit, dialog.getByRole("button", { name: "Done" }));
        const row = rowOf(page, "Webhook");
        await row.getByText("<b>accounting</b>").first().waitFor();
        expect(await page.content()).not.toContain(secret);

        await press(visit, row.getByRole("button", { name: /^Send test/ }));
        await row.getByText("Test delivered").waitFor();
        expect(receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)).toEqual([
          "webhook.test",
        ]);
        receiver.status = 500;
        await press(visit, row.getByRole("button", { name: /^Send test/ }));
        await row.getByText("Answered 500. Check the address, then try again.").waitFor();
        receiver.status = 204;

        const requestHash = await payment(agent);
        const about = (): readonly Received[] =>
          receiver.received.filter(({ body }) => body.includes(requestHash));
        await waitUntil("the decision is asked for", () =>
          about().some(({ body }) => body.includes("needs_decision")),
        );
        await press(visit, row.getByRole("button", { name: "Delivery log" }));
        await row.getByText("Needs your decision", { exact: true }).waitFor({ timeout: 40_000 });
        await row.getByText("Test", { exact: true }).first().waitFor();
        expect(await visit.axe()).toEqual([]);
        const before = about().length;
        await press(visit, row.getByRole("button", { name: /^Deliver again Needs your decision/ }));
        await waitUntil("it is delivered again", () => about().length > before);
        const ids = about()
          .filter(({ body }) => body.includes("needs_decision"))
          .map(({ headers }) => headers["webhook-id"]);
        expect([ids.length, new Set(ids).size]).toEqual([2, 1]);

        await press(visit, row.getByRole("button", { name: "New secret" }));
        await press(visit, dialog.getByRole("button", { name: "Create secret" }));
        await dialog.getByText("Copy the signing secret now").waitFor();
        expect(await dialog.locator("code").textContent()).not.toBe(secret);
        await press(visit, dialog.getByRole("button", { name: "Done" }));

        await press(visit, row.getByRole("button", { name: /^Delete/ }));
        await press(visit, dialog.getByRole("button", { name: "Delete", exact: true }));
        await page.getByText("Nowhere yet.").waitFor();
        expect(await owner.client.webhooks.list()).toEqual([]);
        expect(visit.complaints).toEqual([]);
        await visit.close();
        for (const end of ends) await end();
      },
    );

    test("mails a code, refuses a wrong one, and confirms the address", async ({ onTestFinished }) => {
      const { mails, owner, visit, page } = await visitWithKinds(harness(), onTestFinished, {
        screen: "phone",
      });
      await visit.goto("/settings/notifications");
      const dialog = await beginAdding(visit, "E-mail");
      await write(visit, dialog.getByLabel("E-mail address"), "alice");
      await press(visit, dialog.getByRole("button", { name: "Send code" }));
      await dialog.getByText("Enter an e-mail address such as you@example.org.").waitFor();
      await write(visit, dialog.getByLabel("E-mail address"), `${owner.account.address}@example.org`);
      await press(visit, dialog.getByRole("button", { name: "Send code" }));
      await dialog.getByText("Enter the code from our e-mail to").waitFor();
      expect(await visit.axe()).toEqual([]);
      const code = /\b\d{8}\b/.exec(mails.received[0]?.plain ?? "")?.[0] ?? "";
      const wrong = String((Number(code) + 1) % 10 ** 8).padStart(8, "0");
      await write(visit, dialog.getByLabel("Code"), wrong);
      await press(visit, dialog.getByRole("button", { name: "Confirm address" }));
      await dialog.getByText("That isn’t the code we sent.").waitFor();
      await press(visit, dialog.getByRole("button", { name: "Send a new code" }));
      await dialog.getByText("We sent a code to this address a moment ago.").waitFor();
      // Without the code the address stays unconfirmed, also after the dialog is closed.
      await press(visit, dialog.getByRole("button", { name: "Close dialog" }));
      const row = rowOf(page, "E-mail");
      await row.getByText("Not confirmed").waitFor();
      expect(await row.getByRole("button", { name: /^Send test/ }).isDisabled()).toBe(true);
      expect(await visit.axe()).toEqual([]);
      await write(visit, row.getByLabel("Code"), `${code.slice(0, 4)} ${code.slice(4)}`);
      await press(visit, row.getByRole("button", { name: "Confirm address" }));
      await row.getByText("Not confirmed").waitFor({ state: "detached" });
      await press(visit, row.getByRole("button", { name: /^Send test/ }));
      await row.getByText("Test delivered").waitFor();
      expect(mails.received).toHaveLength(2);
      expect(visit.complaints).toEqual([]);
    });

    test("says that a code was not sent, and adds the address once", async ({ onTestFinished }) => {
      const { mails, owner, visit, page } = await visitWithKinds(harness(), onTestFinished, {
        screen: "desktop",
      });
      mails.answer = 550;
      await visit.goto("/settings/notifications");
      const dialog = await beginAdding(visit, "E-mail");
      await write(visit, dialog.getByLabel("E-mail address"), `${owner.account.address}@example.org`);
      await press(visit, dialog.getByRole("button", { name: "Send code" }));
      await dialog.getByText("Couldn’t send a code").waitFor();
      expect(await dialog.getByRole("button", { name: "Send code" }).count()).toBe(0);
      await press(visit, dialog.getByRole("button", { name: "Close dialog" }));
      await rowOf(page, "E-mail").getByText("Not confirmed").waitFor();
      expect(await owner.client.channels.list()).toHaveLength(1);
      expect(visit.complaints).toEqual([]);
    });

    test("adds chats, and reports what each answers", async ({ onTestFinished }) => {
      const { chat, visit, page } = await visitWithKinds(harness(), onTestFinished, { screen: "desktop" });
      await visit.goto("/settings/notifications");
      const hooks = [
        ["Slack", "https://hooks.slack.com/services/T0123ABC/B4567DEF/abcdefghijklmnopqrstuvwx"],
        ["Discord", `https://discord.com/api/webhooks/123456789012345678/abc_DEF-${"x".repeat(60)}`],
      ] as const;
      for (const [kind, url] of hooks) {
        const dialog = await beginAdding(visit, kind);
        await write(visit, dialog.getByLabel("Webhook address"), url.replace("https", "ftp"));
        await press(visit, dialog.getByRole("button", { name: "Add" }));
        await dialog.getByText("Copy the whole address. It starts with https://").waitFor();
        await write(visit, dialog.getByLabel("Webhook address"), url);
        await press(visit, dialog.getByRole("button", { name: "Add" }));
        await rowOf(page, kind).waitFor();
        expect(await page.content()).not.toContain(url.split("/").at(-1));
      }
      const dialog = await beginAdding(visit, "Telegram");
      await write(visit, dialog.getByLabel("Bot token"), `123456789:${"a".repeat(35)}`);
      await write(visit, dialog.getByLabel("Chat"), "-1001234567890");
      await press(visit, dialog.getByRole("button", { name: "Add" }));
      for (const kind of ["Slack", "Discord", "Telegram"]) {
        const row = rowOf(page, kind);
        await press(visit, row.getByRole("button", { name: /^Send test/ }));
        await row.getByText("Test delivered").waitFor();
      }
      expect(chat.received.map(({ service }) => service)).toEqual(["slack", "discord", "telegram"]);
      chat.behave("gone");
      await press(visit, rowOf(page, "Slack").getByRole("button", { name: /^Send test/ }));
      await rowOf(page, "Slack").getByText("Answered 404. Check the address").waitFor();
      expect(visit.complaints).toEqual([]);
    });

    test.each(sights)("saves which messages, which agents and when: $screen, $scheme", async (sight) => {
      const { owner } = await makeScene(harness());
      await owner.client.channels.create({
        kind: "telegram",
        ...{ botToken: `123456789:${"b".repeat(35)}`, chatId: "@treasury_chat" },
      });
      const visit = await harness().visit({ owner, ...sight });
      const { page } = visit;
      const read = async () => (await owner.client.channels.list())[0];
      await visit.goto("/settings/notifications");
      const row = rowOf(page, "Telegram");
      await row.getByText("Needs your decision, expires soon, security alert, blocked, failed.").waitFor();
      await press(visit, row.getByRole("button", { name: /^Change/ }));
      const dialog = dialogOf(page);
      for (const name of [/^Expires soon/, /^Blocked/, /^Failed/, /^Executed/])
        await press(visit, dialog.getByRole("checkbox", { name }));
      await choose(visit, dialog.getByRole("radio", { name: "Only these" }));
      await dialog.getByText("Choose at least one agent, or all of them.").waitFor();
      expect(await dialog.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);
      await press(visit, dialog.getByRole("checkbox", { name: "an agent" }));
      await choose(visit, dialog.getByRole("radio", { name: "Together, every hour" }));
      await press(visit, dialog.getByRole("checkbox", { name: /^Quiet hours/ }));
      await dialog.getByLabel("From", { exact: true }).fill("21:30");
      await dialog.getByLabel("Time zone").selectOption("Asia/Tokyo");
      expect(await visit.axe()).toEqual([]);
      await press(visit, dialog.getByRole("button", { name: "Save" }));
      await row.getByText("Quiet from 21:30 to 07:00, Asia/Tokyo.").waitFor();
      await row.getByText("Together, every hour.").waitFor();
      const [agent] = await owner.client.agents.list();
      expect(await read()).toMatchObject({
        events: ["transaction.needs_decision", "transaction.alert", "transaction.executed"],
        agents: [`key:${agent?.id ?? ""}`],
        quietHours: { from: "21:30", until: "07:00" },
        ...{ timeZone: "Asia/Tokyo", digest: "hourly" },
      });
      await press(visit, row.getByRole("switch"));
      await row.getByText("Off", { exact: true }).waitFor();
      expect(await read()).toMatchObject({ active: false });
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("shows a failed change as not made, and says what to do", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await owner.client.webhooks.create({ url: "https://receiver.example/hook" });
      await visit.goto("/settings/notifications");
      const row = rowOf(page, "Webhook");
      await page.route("**/api/webhooks/*", (route) => route.abort("connectionreset"));
      await row.getByRole("switch").click();
      await row.getByText("Couldn’t change it").waitFor();
      await row.getByText("The service didn’t answer. Try again.").waitFor();
      expect(await row.getByRole("switch").getAttribute("aria-checked")).toBe("true");
      await page.unrouteAll();
      await press(visit, row.getByRole("button", { name: /^Delete/ }));
      await owner.client.webhooks.delete((await owner.client.webhooks.list())[0]?.id ?? "");
      await press(visit, dialogOf(page).getByRole("button", { name: "Delete", exact: true }));
      // The list is read again, and shows that it is gone.
      await page.getByText("Nowhere yet.").waitFor();
      await visit.close();
    });
  });
};
