// Tests what the pages say about recipients: the owner's names, earlier payments, and look-alikes.
import { createWalletClient, http, type Hex } from "viem";
import { describe, expect, test } from "vitest";
import { press, write } from "../hands.ts";
import { sights, type Agent, type Harness, type Owner } from "../harness.ts";
import { alice, begin, button, heading, makeScene, payment, undecided } from "./proposals.ts";

/** The same first and last four digits as `alice`. */
const imitation = "0x742D11111111111111111111111111111111F44e".toLowerCase() as Hex;

async function proposeTo({ client }: Agent, to: Hex): Promise<string> {
  const { requestHash } = await client.propose({
    userPrompt: `Send 0.01 ETH to ${to}`,
    tx: { to, value: 10n ** 16n },
  });
  await client.waitForVerdict(requestHash);
  return requestHash;
}

/** Approves a payment, sends it with the owner's key, and waits until it is final. */
async function execute(harness: Harness, { client, account }: Owner, requestHash: string): Promise<void> {
  await client.approve(requestHash);
  const { tx } = await client.waitForStatus(requestHash, ["APPROVED"]);
  const wallet = createWalletClient({ account, transport: http(harness.stack.urls.anvil) });
  await wallet.sendTransaction({ chain: null, to: tx?.to as Hex, value: BigInt(tx?.value ?? 0) });
  await client.waitForStatus(requestHash, ["EXECUTED"], { timeoutMs: 120_000 });
}

const warning = "This address looks like one that you know, but it’s a different one";

export const recipientFlows = (harness: () => Harness): void => {
  describe("recipients", () => {
    test.each(sights)(
      "shows earlier payments, and a name that the owner gives: $screen, $scheme",
      async (sight) => {
        const { owner, agent } = await makeScene(harness());
        const first = await payment(agent);
        await execute(harness(), owner, first);
        const requestHash = await payment(agent, "0.02");
        const visit = await harness().visit({ owner, ...sight });
        const { page } = visit;
        await visit.goto(`/transactions/${requestHash}`);
        const card = page.getByRole("region", { name: "Recipient", exact: true });
        await card.getByText(/^You paid this address once, on \d+ \w+ \d{4}\.$/).waitFor();
        await card.getByText("Not in your address book").waitFor();
        expect(await visit.axe()).toEqual([]);
        await press(visit, card.getByRole("button", { name: `Add ${alice} to address book` }));
        const dialog = page.getByRole("dialog", { name: "Add to address book" });
        await write(visit, dialog.getByLabel("Name"), "  Alice   Moreau ");
        await write(visit, dialog.getByLabel("Note"), "Design studio");
        expect(await visit.axe()).toEqual([]);
        await press(visit, button(page, "Save"));
        await dialog.waitFor({ state: "detached" });
        await card.getByText("Alice Moreau").waitFor();
        await card.getByText("Known", { exact: true }).waitFor();
        expect(await owner.client.contacts.list()).toMatchObject([
          { address: alice, name: "Alice Moreau", note: "Design studio" },
        ]);
        // Escape closes the dialog, nothing is saved, and the focus returns to the button.
        const edit = card.getByRole("button", { name: "Edit contact Alice Moreau" });
        await press(visit, edit);
        await write(visit, page.getByRole("dialog").getByLabel("Name"), "Carol");
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
        expect(await edit.evaluate((element) => element === document.activeElement)).toBe(true);
        expect(await owner.client.contacts.list()).toMatchObject([{ name: "Alice Moreau" }]);
        expect(await visit.axe()).toEqual([]);
        // The executed one still says what was known before it.
        await visit.goto(`/transactions/${first}`);
        await card.getByText("In your address book. First payment to this address.").waitFor();
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test.each(sights)(
      "warns of an address that looks like a contact, on the page and before signing: $screen, $scheme",
      async (sight) => {
        const { owner, agent } = await makeScene(harness());
        await owner.client.contacts.save({ address: alice, name: "Alice Moreau" });
        const requestHash = await proposeTo(agent, imitation);
        const visit = await harness().visit({ owner, ...sight });
        const { page } = visit;
        await visit.goto(`/transactions/${requestHash}`);
        const alert = page.getByRole("alert").filter({ hasText: warning });
        await alert.getByText("It looks like “Alice Moreau” in your address book").waitFor();
        // Both in full, so that they can be compared.
        const text = (await alert.innerText()).toLowerCase();
        for (const address of [alice, imitation]) expect(text).toContain(address.toLowerCase());
        const card = page.getByRole("region", { name: "Recipient", exact: true });
        await card.getByText("Look-alike", { exact: true }).waitFor();
        expect(await card.getByText("Alice Moreau").count()).toBe(0);
        expect(await visit.axe()).toEqual([]);
        await press(visit, card.getByRole("button", { name: /^Add 0x.* to address book$/i }));
        await page.getByRole("dialog").getByText(warning).waitFor();
        await page.keyboard.press("Escape");
        await begin(visit, "Approve");
        await page.getByRole("dialog").getByText(warning).waitFor();
        expect(await visit.axe()).toEqual([]);
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test("names the recipient of an encrypted payment only as far as the verdict proves it", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await undecided(owner, agent);
      const visit = await harness().visit({ owner });
      await visit.goto(`/transactions/${requestHash}`);
      const card = visit.page.getByRole("region", { name: /^Recipients?$/ });
      await card.waitFor();
      const { complete, recipients } = await owner.client.recipients(requestHash);
      expect(await card.innerText()).toMatch(
        complete ? /First payment to this address\./ : /We don’t know who is paid/,
      );
      expect(recipients).toHaveLength(complete ? 1 : 0);
      await visit.close();
    });

    test("lets the owner decide although the recipients could not be loaded", async () => {
      const { owner, agent } = await makeScene(harness());
      const requestHash = await payment(agent);
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await page.route("**/assets/recipients-*.js", (route) => route.abort());
      await visit.goto(`/transactions/${requestHash}`);
      await page.getByText("Couldn’t check the recipients").waitFor();
      expect(await button(page, "Reject").isEnabled()).toBe(true);
      await page.unroute("**/assets/recipients-*.js");
      await page.route("**/recipients", (route) => route.fulfill({ status: 503, json: {} }));
      await visit.goto(`/transactions/${requestHash}`);
      await page.getByText("Couldn’t load what you paid before").waitFor();
      await button(page, "Approve").waitFor();
      await visit.close();
    });
  });

  describe("the address book", () => {
    test.each(sights)("adds, renames and deletes contacts: $screen, $scheme", async (sight) => {
      const owner = await harness().makeOwner();
      await owner.client.contacts.save({ address: imitation, name: "Bob" });
      const visit = await harness().visit({ owner, ...sight });
      const { page } = visit;
      await visit.goto("/settings");
      const book = page.getByRole("region", { name: "Address book" });
      await book.getByText("Bob", { exact: true }).waitFor();
      await press(visit, book.getByRole("button", { name: "Add contact" }));
      const dialog = page.getByRole("dialog");
      await write(visit, dialog.getByLabel("Address", { exact: true }), "0x742d");
      await dialog.getByText("An address has 0x and 40 digits.").waitFor();
      await write(visit, dialog.getByLabel("Address", { exact: true }), alice);
      await write(visit, dialog.getByLabel("Name"), "BOB");
      expect(await visit.axe()).toEqual([]);
      await press(visit, dialog.getByRole("button", { name: "Save" }));
      await dialog.getByText("Another contact has this name").waitFor();
      await write(visit, dialog.getByLabel("Name"), "Alice");
      await press(visit, dialog.getByRole("button", { name: "Save" }));
      await dialog.waitFor({ state: "detached" });
      await book.getByText("2 contacts").waitFor();
      await press(visit, book.getByRole("button", { name: "Edit contact Bob" }));
      await write(visit, dialog.getByLabel("Name"), "Robert");
      await press(visit, dialog.getByRole("button", { name: "Save" }));
      await book.getByText("Robert", { exact: true }).waitFor();
      await press(visit, book.getByRole("button", { name: "Delete contact Alice" }));
      await press(visit, button(page, "Delete contact"));
      await book.getByText("1 contact", { exact: true }).waitFor();
      expect((await owner.client.contacts.list()).map(({ name }) => name)).toEqual(["Robert"]);
      expect(await visit.axe()).toEqual([]);
      await heading(page, "Settings").waitFor();
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("shows the first 50 of many contacts, and finds the others", async () => {
      const owner = await harness().makeOwner();
      for (let index = 0; index < 55; index++)
        await owner.client.contacts.save({
          address: `0x${String(index).padStart(40, "a")}`,
          name: `Contact ${String(index).padStart(2, "0")}`,
        });
      const visit = await harness().visit({ owner });
      const { page } = visit;
      await visit.goto("/settings");
      const book = page.getByRole("region", { name: "Address book" });
      await book.getByText("50 of 55 contacts. Search to see others.").waitFor();
      await write(visit, book.getByLabel("Search contacts"), "contact 54");
      await book.getByText("Contact 54").waitFor();
      await book.getByText("1 contact", { exact: true }).waitFor();
      expect(await visit.axe()).toEqual([]);
      await visit.close();
    });
  });
};
