// Properties that hold on every page.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { storyCases } from "../../../../tools/seed/story-cases.ts";
import { sights, type Owner, type Harness, type Visit } from "../harness.ts";

const story = ["waiting", "hidden", "incident"] as const;

const forOwner = [
  ...["/", "/transactions", "/agents", "/access", "/try", "/nowhere"],
  ...["/settings", "/settings/custody", "/settings/notifications"],
  ...story.map((name) => `/transactions/{${name}}`),
  ...["/agents/{owner}", "/agents/{owner}/transactions/{incident}"],
  ...["/connect?code=unknown", "/oauth/consent?session=unknown"],
];
const forVisitors = ["/", "/sign-in"];

/** Colors depend on the scheme and layout on the screen, so two visits cover both. */
const looks = (paths: readonly string[]) =>
  sights.flatMap((sight) => paths.map((path) => ({ path, ...sight })));

/** Waits until the page has loaded. The event stream stays open, so the network is never idle. */
const settled = async ({ page }: Visit): Promise<void> => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForFunction(() => document.querySelector("main .animate-pulse") === null);
};

const isTooWide = (): boolean => document.documentElement.scrollWidth > document.documentElement.clientWidth;

/** Returns accessibility violations, horizontal overflow and console errors. */
async function violations(visit: Visit): Promise<readonly string[]> {
  const isWide = await visit.page.evaluate(isTooWide);
  return [...(await visit.axe()), ...(isWide ? ["wider than the screen"] : []), ...visit.complaints];
}

export const everywhereFlows = (harness: () => Harness): void => {
  describe("every page", () => {
    let owner: Owner;
    const names = new Map<string, string>();
    const addressOf = (path: string): string =>
      path.replace(/\{(\w+)\}/g, (_, name: string) => names.get(name) ?? name);

    beforeAll(async () => {
      owner = await harness().makeOwner();
      names.set("owner", owner.account.address);
      const { client } = await harness().makeAgent(owner);
      for (const name of story) names.set(name, (await client.propose(storyCases[name])).requestHash);
      for (const name of story) await client.waitForVerdict(names.get(name) ?? "");
    });

    test.each(looks(forOwner))(
      "has no axe violations, policy violations or horizontal overflow: $path, $screen, $scheme",
      async ({ path, ...look }) => {
        const visit = await harness().visit({ owner, ...look });
        await visit.goto(addressOf(path));
        // An owner is led from the landing page to the inbox.
        if (path === "/") await visit.page.waitForURL("**/transactions");
        await settled(visit);
        expect(await violations(visit)).toEqual([]);
        await visit.close();
      },
    );

    test.each(looks(forVisitors))(
      "has none when signed out either: $path, $screen, $scheme",
      async ({ path, ...look }) => {
        const visit = await harness().visit(look);
        await visit.goto(path);
        await settled(visit);
        expect(await violations(visit)).toEqual([]);
        await visit.close();
      },
    );

    test("is served with a policy that allows only its own origin and no frames", async () => {
      for (const path of ["/", "/transactions", "/session", "/config.json"]) {
        const policy =
          (await fetch(`${harness().web.url}${path}`)).headers.get("content-security-policy") ?? "";
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("script-src 'self';");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).toContain("require-trusted-types-for 'script'; trusted-types verify-in-worker");
        expect(policy).not.toMatch(/unsafe-|\*|https?:|blob:/);
      }
    });

    test("cannot run an injected script: the policy blocks it", async () => {
      const visit = await harness().visit();
      await visit.goto("/try");
      await visit.page.getByRole("heading", { level: 1 }).waitFor();
      const happened = await visit.page.evaluate(async () => {
        const script = document.createElement("script");
        try {
          script.textContent = "window.planted = true";
        } catch {
          return "refused";
        }
        document.body.append(script);
        await new Promise((resolve) => setTimeout(resolve, 50));
        return "planted" in window ? "ran" : "blocked";
      });
      expect(happened).not.toBe("ran");
      await visit.close();
    });

    test.each(["/", "/sign-in", "/transactions", "/transactions/{incident}", "/try", "/agents/{owner}"])(
      "loads at most 200 kB compressed: %s",
      async (given) => {
        const visit = await harness().visit({ owner, isSignedIn: !["/", "/sign-in"].includes(given) });
        const files = new Set(["/index.html"]);
        // Includes requests of the worker.
        visit.page.on("request", (request) => {
          const { pathname } = new URL(request.url());
          if (pathname.startsWith("/assets/") || pathname === "/icon.svg") files.add(pathname);
        });
        await visit.goto(addressOf(given));
        await settled(visit);
        if (given.includes("{incident}")) await visit.page.getByText("Verdict is signed").waitFor();
        const sizes = [...files].map(
          (file) => gzipSync(readFileSync(join(harness().pages, file)), { level: 9 }).length,
        );
        expect(sizes.length).toBeGreaterThan(3);
        expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200_000);
        await visit.close();
      },
    );

    test("requests all data of a transaction page in parallel", async () => {
      const visit = await harness().visit({ owner });
      const { page } = visit;
      const record = addressOf("/transactions/{incident}");
      const released = Promise.withResolvers<undefined>();
      await page.route("**/session", async (route) => {
        await released.promise;
        await route.continue();
      });
      const asked = ["", "/receipt"].map((path) =>
        page.waitForResponse((answer) => answer.url().endsWith(`/api${record}${path}`)),
      );
      await visit.goto(record);
      // The session is not known yet.
      for (const answer of await Promise.all(asked)) expect(answer.status()).toBe(200);
      expect(await page.getByText("Differs from what you asked").count()).toBe(0);
      released.resolve(undefined);
      await page.getByText("Differs from what you asked").first().waitFor();
      await visit.close();
    });
  });
};
