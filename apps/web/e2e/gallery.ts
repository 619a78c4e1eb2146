// npm run gallery -w apps/web -- OUT_DIR [NAME …]: takes every page and state, phone and desktop, light and dark, to compare with
// the design. Names are those of the mocks where there is one. Not committed; docs/images comes from pictures.ts.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { createCountersign } from "@countersign/sdk";
import { signMandate } from "@countersign/sdk/viem";
import { createWalletClient, http } from "viem";
import { sepolia } from "viem/chains";
import { alice, payment, theft, tokenApproval, tokenPayment, undecided } from "./flows/proposals.ts";
import { proposeSubject, subjects } from "./flows/shapes.ts";
import { screens, setHarness, type Agent, type Harness, type Owner, type Visit } from "./harness.ts";

const [outDir = "/tmp/gallery", ...only] = process.argv.slice(2);
mkdirSync(resolve(outDir), { recursive: true });

const eth = "eip155:11155111/slip44:60";
const usdc = "eip155:11155111/erc20:0x1c7d4b196cb0c7b01d743fbc6116a902379c7238";
const day = 86_400;

type Named = Agent & { readonly id: string };

async function anAgent(harness: Harness, { client }: Owner, name: string): Promise<Named> {
  const { secret, apiKey } = await client.keys.create({ name });
  const url = harness.stack.urls.api;
  return { id: apiKey.id, apiKey: secret, client: createCountersign({ url, apiKey: secret }) };
}

const draftOf = (
  { id }: Named,
  asset: string,
  decimals: number,
  [each, most]: readonly [string, string],
) => ({
  ...{ agent: `key:${id}`, purpose: "Supplier invoices", acts: ["transfer" as const], assets: [asset] },
  recipients: [`eip155:11155111:${alice}`],
  limits: [
    { measure: asset, span: "transaction" as const, seconds: 0, most: each, decimals },
    { measure: asset, span: "rolling" as const, seconds: day, most, decimals },
  ],
  validUntil: Math.floor(Date.now() / 1000) + 60 * day,
});

async function grant({ client, account }: Owner, agent: Named): Promise<string> {
  const { terms } = await client.mandates.draft(draftOf(agent, eth, 18, ["0.02", "0.05"]));
  return (await client.mandates.grant({ terms, signature: await signMandate({ wallet: account, terms }) }))
    .id;
}

/** Sends an approved payment from the owner's wallet and waits until it is final. */
async function send(
  harness: Harness,
  { client, account }: Owner,
  hash: string,
  finney: bigint,
): Promise<void> {
  await client.waitForStatus(hash, ["APPROVED"]);
  const wallet = createWalletClient({ account, chain: sepolia, transport: http(harness.stack.urls.anvil) });
  await wallet.sendTransaction({ to: alice, value: finney * 10n ** 15n });
  await client.waitForStatus(hash, ["EXECUTED"], { timeoutMs: 120_000 });
}

/** Returns the page of one proposal of each shape. */
async function seedShapes(agent: Agent, { account }: Owner): Promise<Readonly<Record<string, string>>> {
  const pages: [string, string][] = [];
  for (const [name, subject] of Object.entries(subjects))
    pages.push([`tx-${name}`, `/transactions/${await proposeSubject(agent, subject(account.address))}`]);
  return Object.fromEntries(pages);
}

/** Returns the address of each page with something to see. */
async function seed(harness: Harness, owner: Owner): Promise<Readonly<Record<string, string>>> {
  const payables = await anAgent(harness, owner, "Payables agent");
  const ops = await anAgent(harness, owner, "Ops bot");
  const research = await anAgent(harness, owner, "Research assistant");
  const executed = await payment(payables, "0.013");
  await owner.client.approve(executed);
  await send(harness, owner, executed, 13n);
  const tx = {
    matches: await tokenPayment(payables),
    differs: await theft(payables),
    unlimited: await tokenApproval(ops),
    unverified: await undecided(owner, ops),
  };
  await payment(research);
  await owner.client.agents.pause({ kind: "key", id: research.id });
  const mandate = await grant(owner, payables);
  await owner.client.updateSettings({ executionType: 2 });
  await send(harness, owner, await payment(payables, "0.012"), 12n);
  const asks = await payment(payables, "0.03");
  await ops.client.mandates.ask(draftOf(ops, usdc, 6, ["20", "50"]));
  const [request] = await owner.client.mandates.requests();
  const [mine, other] = [`/agents/key/${payables.id}`, `/agents/key/${ops.id}`];
  return {
    inbox: "/transactions",
    "inbox-blocked": "/transactions?tab=blocked",
    "tx-matches": `/transactions/${tx.matches}`,
    "tx-needs-you": `/transactions/${asks}`,
    "tx-differs": `/transactions/${tx.differs}`,
    "tx-unlimited": `/transactions/${tx.unlimited}`,
    "tx-unverified": `/transactions/${tx.unverified}`,
    "tx-executed": `/transactions/${executed}`,
    ...(await seedShapes(payables, owner)),
    "decide-review": `/transactions/${tx.matches}?do=approve`,
    agents: "/agents",
    agent: mine,
    "agent-paused": `/agents/key/${research.id}`,
    mandate: `${other}/mandate`,
    "mandate-request": `${other}/mandate?request=${request?.id ?? ""}`,
    "mandate-change": `${mine}/mandate?replaces=${mandate}`,
    access: "/access",
    "settings-approvals": "/settings",
    custody: "/settings/custody",
    profile: `/agents/${owner.account.address}`,
  };
}

const forVisitors = { landing: "/", "sign-in": "/sign-in", try: "/try" };

async function take(visit: Visit, name: string, path: string): Promise<void> {
  await visit.goto(path);
  await visit.page.getByRole("heading", { level: 1 }).waitFor();
  await visit.page.waitForFunction(() => document.querySelector("main .animate-pulse") === null);
  // Lets the first event arrive, since a page may briefly say that it is offline.
  await visit.page.waitForTimeout(800);
  await visit.page.screenshot({ path: join(outDir, `${name}.png`), fullPage: !name.startsWith("decide") });
  console.log(`${name}.png`, [...visit.complaints, ...(await visit.axe())].join(", "));
}

const isWanted = (name: string): boolean => only.length === 0 || only.includes(name);

type Look = { readonly screen: keyof typeof screens; readonly scheme: "light" | "dark" };

async function takeAll(
  harness: Harness,
  visitor: object,
  pages: Readonly<Record<string, string>>,
  look: Look,
) {
  const visit = await harness.visit({ ...visitor, ...look });
  for (const [name, path] of Object.entries(pages))
    if (isWanted(name)) await take(visit, `${name}.${look.screen}.${look.scheme}`, path);
  await visit.close();
}

const harness = await setHarness();
try {
  const [owner, beginner] = [await harness.makeOwner(), await harness.makeOwner()];
  const pages = await seed(harness, owner);
  for (const screen of Object.keys(screens) as (keyof typeof screens)[])
    for (const scheme of ["light", "dark"] as const) {
      const look = { screen, scheme };
      await takeAll(harness, { owner }, pages, look);
      await takeAll(
        harness,
        { owner: beginner },
        { "inbox-empty": "/transactions", "agents-empty": "/agents" },
        look,
      );
      await takeAll(harness, {}, forVisitors, look);
      await takeAll(harness, { hasWallet: false }, { "no-wallet": "/sign-in" }, look);
    }
} finally {
  await harness.end();
}
