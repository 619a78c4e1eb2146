// Takes screenshots: node apps/web/e2e/look.ts OUT_DIR PATH [PATH …]. Joins the running stack (COUNTERSIGN_DATA, or .data),
// builds the pages, signs in the seeded owner, and captures each page for phone and desktop, light and dark. OWNER_KEY signs in
// another owner; OWNER_KEY=none none.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { devAccounts } from "../../../tools/engines/anvil.ts";
import { screens, setHarness, type VisitOptions } from "./harness.ts";

process.env["COUNTERSIGN_DATA"] ??= join(import.meta.dirname, "../../../.data");
const [outDir = "/tmp/look", ...paths] = process.argv.slice(2);
mkdirSync(outDir, { recursive: true });
const key = process.env["OWNER_KEY"] ?? devAccounts()[5]?.privateKey;
const harness = await setHarness();

/** Captures each page on one screen in one scheme, and prints its violations. */
async function lookAt(
  options: VisitOptions & { readonly screen: string; readonly scheme: string },
): Promise<void> {
  const { screen, scheme } = options;
  const visit = await harness.visit(options);
  for (const path of paths) {
    await visit.goto(path);
    await visit.page.getByRole("heading", { level: 1 }).waitFor();
    await visit.page.waitForTimeout(1500);
    const name = path.replaceAll(/[^a-z0-9]+/gi, "-").replaceAll(/^-|-$/g, "") || "home";
    await visit.page.screenshot({ path: join(outDir, `${name}.${screen}.${scheme}.png`), fullPage: true });
    const violations = await visit.axe();
    console.log(path, screen, scheme, [...visit.complaints, ...violations].join("\n  ") || "fine");
  }
  await visit.close();
}

try {
  const owner =
    key === undefined || key === "none" ? undefined : await harness.makeOwner(key as `0x${string}`);
  const visitor = owner === undefined ? {} : { owner };
  for (const screen of Object.keys(screens) as (keyof typeof screens)[])
    for (const scheme of ["light", "dark"] as const) await lookAt({ ...visitor, screen, scheme });
} finally {
  await harness.end();
}
