import { beforeAll, describe, expect, test, vi } from "vitest";
import { storyCases } from "../../../../tools/seed/story-cases.ts";
import { sights, type Owner, type Harness } from "../harness.ts";

export const agentFlows = (harness: () => Harness): void => {
  describe("an agent's public profile", () => {
    let owner: Owner;
    let incident: string;

    beforeAll(async () => {
      owner = await harness().makeOwner();
      const { client } = await harness().makeAgent(owner);
      const { requestHash } = await client.propose(storyCases.waiting);
      ({ requestHash: incident } = await client.propose(storyCases.incident));
      for (const hash of [requestHash, incident]) await client.waitForVerdict(hash);
      // Statistics are counted about every second and cached for 15 seconds.
      await vi.waitFor(
        async () => {
          const answer = await fetch(`${harness().stack.urls.api}/public/agents/${owner.account.address}`);
          expect(await answer.json()).toMatchObject({ stats: { rejected: 1, approved: 1 } });
        },
        { timeout: 60_000, interval: 500 },
      );
    });

    test.each(sights)("is public, and shows verdicts but no requests: $screen, $scheme", async (sight) => {
      const visit = await harness().visit(sight);
      await visit.goto(`/agents/${owner.account.address}`);
      await visit.page.getByText("Match rate").waitFor();
      await visit.page.getByText("50 %").waitFor();
      await visit.page.locator("canvas").waitFor();
      await visit.page.getByRole("button", { name: "Show as table" }).click();
      await visit.page.getByRole("columnheader", { name: "Differs" }).waitFor();
      await visit.page.getByText("delegatecall risk").waitFor();
      await visit.page.locator(`a[href$="${incident}"]`).click();
      await visit.page.getByText("Not executed").waitFor();
      const shown = await visit.page.locator("body").innerText();
      expect(shown).not.toMatch(/30,000|warm wallet/);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });

    test("says so if the agent does not exist", async () => {
      const visit = await harness().visit();
      await visit.goto("/agents/0x0000000000000000000000000000000000000001");
      await visit.page.getByText("There’s no account with this address.").waitFor();
      await visit.close();
    });
  });
};
