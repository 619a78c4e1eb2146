import { generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { choose, press, write } from "../hands.ts";
import { sights, type Harness } from "../harness.ts";

const aPublicKey = (): string =>
  generateKeyPairSync("ec", { namedCurve: "P-256" })
    .publicKey.export({ format: "pem", type: "spki" })
    .toString();

export const settingsFlows = (harness: () => Harness): void => {
  describe("settings", () => {
    test.each(sights)("who executes is what the service has confirmed: $screen, $scheme", async (sight) => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner, ...sight });
      const { page } = visit;
      await visit.goto("/settings");
      const careful = page.getByRole("radio", { name: "You decide on each, and send it" });
      const save = page.getByRole("button", { name: "Save" });
      await careful.waitFor();
      expect([await careful.isChecked(), await save.isDisabled()]).toEqual([true, true]);
      expect(await visit.axe()).toEqual([]);
      await choose(visit, page.getByRole("radio", { name: "and the service sends it" }));
      await page.getByText("Then you are not asked any more").waitFor();
      expect((await owner.client.settings()).executionType).toBe(1);
      await press(visit, save);
      await page.getByText("In force: The arbiter decides, and the service sends it").waitFor();
      expect((await owner.client.settings()).executionType).toBe(2);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("a change that was not confirmed is not shown as in force", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner });
      await visit.goto("/settings");
      await visit.page.route("**/api/settings", (route) =>
        route.request().method() === "PUT"
          ? route.fulfill({
              status: 503,
              json: { statusCode: 503, message: "Away", error: "Service Unavailable" },
            })
          : route.continue(),
      );
      await visit.page.getByRole("radio", { name: "The arbiter decides, and you send it" }).click();
      await press(visit, visit.page.getByRole("button", { name: "Save" }));
      await visit.page.getByText("The change was not confirmed").waitFor();
      expect(await visit.page.getByText("In force: You decide on each, and send it").count()).toBe(1);
      await visit.close();
    });

    test("another session is ended, and then all of them", async () => {
      const owner = await harness().makeOwner();
      const visit = await harness().visit({ owner, screen: "phone" });
      const { page } = visit;
      await visit.goto("/settings");
      await page.getByText("this browser").waitFor();
      await press(visit, page.getByRole("button", { name: "End it" }));
      await page.getByRole("button", { name: "End it" }).waitFor({ state: "detached" });
      // It was the one over HTTP.
      await expect(owner.client.settings()).rejects.toThrow();
      await press(visit, page.getByRole("button", { name: "Sign out everywhere" }));
      await page.getByRole("dialog").getByText("API keys stay").waitFor();
      expect(await visit.axe()).toEqual([]);
      await press(visit, page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }));
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      expect((await visit.context.cookies()).filter(({ name }) => name.includes("cs_"))).toEqual([]);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("a quorum is set with keys of the owner's, shown, and deleted", async () => {
      const visit = await harness().visit({ owner: await harness().makeOwner() });
      const { page } = visit;
      await visit.goto("/settings");
      const quorum = page.getByRole("region", { name: "For your agents" });
      await press(visit, quorum.getByRole("button", { name: "Set it" }));
      await write(visit, quorum.getByLabel("Name"), "<b>our</b> quorum");
      await write(visit, quorum.getByLabel("Public keys"), `${aPublicKey()}\n${aPublicKey()}`);
      await quorum.getByText("2 keys found").waitFor();
      await write(visit, quorum.getByLabel("Signatures needed"), "2");
      expect(await visit.axe()).toEqual([]);
      await press(visit, quorum.getByRole("button", { name: "Set these keys" }));
      await quorum.getByText("2 of 2").waitFor();
      expect(await quorum.getByText("<b>our</b> quorum").count()).toBe(1);
      await press(visit, quorum.getByRole("button", { name: "Delete" }));
      await press(visit, page.getByRole("dialog").getByRole("button", { name: "Delete the quorum" }));
      await quorum.getByText("not set").waitFor();
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });
  });
};
