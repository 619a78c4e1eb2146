import { describe, expect, test } from "vitest";
import { press } from "../hands.ts";
import { sights, type Harness } from "../harness.ts";
import { heading } from "./proposals.ts";

export const homeFlows = (harness: () => Harness): void => {
  describe("the landing page", () => {
    test.each(sights)(
      "checks an example live, and leads to a check and to sign-in: $screen, $scheme",
      async (sight) => {
        const visit = await harness().visit(sight);
        const { page } = visit;
        await visit.goto("/");
        await heading(page, "Differs from what you asked").waitFor();
        await page.getByText("25,000 USDC").first().waitFor();
        expect(await visit.axe()).toEqual([]);
        await press(visit, page.getByRole("link", { name: "Try a check" }).first());
        await heading(page, "Try a check").waitFor();
        await visit.goto("/");
        await press(visit, page.getByRole("link", { name: "Connect wallet" }).first());
        await heading(page, "Sign in").waitFor();
        expect(visit.complaints).toEqual([]);
        await visit.close();
      },
    );

    test("shows no verdict if the check fails", async () => {
      const visit = await harness().visit();
      const { page } = visit;
      await page.route("**/api/public/validate", (route) => route.fulfill({ status: 503, body: "{}" }));
      await visit.goto("/");
      await page.getByText("The live check isn’t available right now").waitFor();
      expect(await page.getByText(/Differs|Matches what/).count()).toBe(1);
      await visit.close();
    });

    test("has the same link preview for every page, which reveals nothing", async () => {
      const titles = await Promise.all(
        ["/", "/transactions/0x12"].map(async (path) => {
          const page = await fetch(`${harness().web.url}${path}`, { headers: { accept: "text/html" } });
          return /property="og:title" content="([^"]*)"/.exec(await page.text())?.[1];
        }),
      );
      expect(titles).toEqual(Array.from({ length: 2 }, () => "Sign what you asked for. Nothing else."));
    });
  });
};
