// The pictures of mandates: the editor with its preview, the preview on a phone, and a payment that needs the owner.
import { join } from "node:path";
import { createCountersign } from "@countersign/sdk";
import { signMandate } from "@countersign/sdk/viem";
import { backdate } from "../../../tools/seed/backdate.ts";
import { alice, payment } from "./flows/proposals.ts";
import { write } from "./hands.ts";
import type { Agent, Harness, Owner, Visit } from "./harness.ts";

const eth = "eip155:11155111/slip44:60";
const day = 86_400;
/** In thousandths of an ETH. */
const amounts = [12, 8, 15, 9, 30, 11, 14, 6, 18, 45, 10, 13, 17, 19, 16, 20, 7, 4, 5, 21, 3, 2];

/** The days ago at which each was proposed. */
const days = [29, 27, 26, 24, 23, 20, 19, 17, 13, 12, 9, 6, 5, 5, 5, 5, 2, 1, 1, 1, 0, 0];

type Named = Agent & { readonly id: string };

async function anAgent(harness: Harness, { client }: Owner): Promise<Named> {
  const { secret, apiKey } = await client.keys.create({ name: "Payables agent" });
  const url = harness.stack.urls.api;
  return { id: apiKey.id, apiKey: secret, client: createCountersign({ url, apiKey: secret }) };
}

async function fill(visit: Visit, { id }: Named): Promise<void> {
  const { page } = visit;
  await visit.goto(`/agents/key/${id}/mandate`);
  await page.getByLabel("Asset").selectOption({ label: "ETH on Sepolia" });
  await write(visit, page.getByLabel("Most per payment, optional"), "0.02");
  await write(visit, page.getByLabel("Most per period"), "0.05");
  await write(visit, page.getByLabel("To these addresses"), alice);
  await write(visit, page.getByLabel("What for"), "Supplier invoices");
  await page.getByText("this mandate would have:").waitFor();
  await page.waitForTimeout(1000);
}

async function grant({ client, account }: Owner, { id }: Named): Promise<void> {
  const { terms } = await client.mandates.draft({
    ...{ agent: `key:${id}`, purpose: "Supplier invoices", acts: ["transfer"], assets: [eth] },
    recipients: [`eip155:11155111:${alice}`],
    limits: [
      { measure: eth, span: "transaction", most: "0.02", decimals: 18 },
      { measure: eth, span: "rolling", seconds: day, most: "0.05", decimals: 18 },
    ],
    validUntil: Math.floor(Date.now() / 1000) + 60 * day,
  });
  await client.mandates.grant({ terms, signature: await signMandate({ wallet: account, terms }) });
}

export async function takeMandatePictures(harness: Harness, outDir: string): Promise<void> {
  const owner = await harness.makeOwner();
  const agent = await anAgent(harness, owner);
  const daysAgo = new Map<string, number>();
  for (const [index, finney] of amounts.entries())
    daysAgo.set(await payment(agent, String(finney / 1000)), days[index] ?? 0);
  await backdate(harness.stack.urls.postgres, daysAgo);
  const desk = await harness.visit({ owner, screen: "desktop", scheme: "light" });
  await owner.client.updateSettings({ executionType: 2 });
  await fill(desk, agent);
  await desk.page.screenshot({ path: join(outDir, "mandate.png"), fullPage: true });
  const phone = await harness.visit({ owner, screen: "phone", scheme: "light" });
  await fill(phone, agent);
  await phone.page
    .getByRole("region", { name: "The last 30 days with this mandate" })
    .screenshot({ path: join(outDir, "mandate-preview.png") });
  await phone.close();
  await grant(owner, agent);
  const asks = await payment(agent, "0.031");
  await desk.goto(`/transactions/${asks}`);
  await desk.page.getByText("Needs you because").waitFor();
  await desk.page.waitForTimeout(1000);
  await desk.page.screenshot({ path: join(outDir, "needs-you.png") });
  await desk.close();
  console.log("mandate.png, mandate-preview.png, needs-you.png");
}
