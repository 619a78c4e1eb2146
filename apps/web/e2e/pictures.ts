// npm run pictures -w apps/web [-- OUT_DIR [NAME …]]: takes the screenshots for the docs on a stack with seeded data, or only
// those that are named. Review them before committing.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { storyOwner, tellStory } from "../../../tools/seed/story.ts";
import { takeMandatePictures } from "./mandate-pictures.ts";
import { setHarness, type Owner, type Harness, type Visit, type VisitOptions } from "./harness.ts";

const [dir, ...names] = process.argv.slice(2);
const outDir = resolve(dir ?? join(import.meta.dirname, "../../../docs/images"));
mkdirSync(outDir, { recursive: true });

type Look = Required<Pick<VisitOptions, "screen" | "scheme">>;
const desk: Look = { screen: "desktop", scheme: "light" };
const phone: Look = { screen: "phone", scheme: "dark" };

/** Finds seeded transactions by their request. */
async function findStory({
  client,
  account,
}: Owner): Promise<{ readonly incident: string; readonly waiting: string }> {
  const { transactions } = await client.transactions({ address: account.address });
  const find = (words: string): string => {
    const found = transactions.find(({ description }) => description.includes(words));
    if (found === undefined) throw new Error(`The story has nothing about ${words}.`);
    return found.requestHash;
  };
  return { incident: find("30,000 ETH"), waiting: find("September invoice") };
}

const isWanted = (name: string): boolean => names.length === 0 || names.includes(name);

async function take(visit: Visit, path: string, name: string): Promise<void> {
  if (!isWanted(name)) return;
  await visit.goto(path);
  await visit.page.getByRole("heading", { level: 1 }).waitFor();
  await visit.page.waitForFunction(() => document.querySelector("main .animate-pulse") === null);
  // Waits for the first event, since the page may briefly say that it is offline.
  await visit.page.waitForTimeout(800);
  await visit.page.screenshot({ path: join(outDir, `${name}.png`) });
  console.log(`${name}.png`);
}

async function connectionCode(harness: Harness): Promise<string> {
  const answer = await fetch(`${harness.stack.urls.api}/auth/connect/initiate`, {
    method: "POST",
    headers: { "user-agent": "treasury-agent/2.1 (linux)", "content-type": "application/json" },
    body: "{}",
  });
  return ((await answer.json()) as { code: string }).code;
}

async function takeStory(harness: Harness): Promise<void> {
  await tellStory(harness.stack.urls);
  const owner = await harness.makeOwner(storyOwner().privateKey);
  const { incident, waiting } = await findStory(owner);
  const agent = `/agents/${owner.account.address}`;
  const inHand = await harness.visit({ owner, ...phone });
  await take(inHand, `/transactions/${waiting}`, "transaction-phone");
  await inHand.close();
  const visit = await harness.visit({ owner, ...desk });
  await take(visit, "/transactions", "inbox-desktop");
  await take(visit, `/transactions/${incident}`, "incident-desktop");
  await take(visit, `/transactions/${waiting}`, "transaction-desktop");
  await take(visit, `/connect?code=${await connectionCode(harness)}`, "connect");
  await take(visit, "/agents", "agents");
  await take(visit, "/access", "access");
  await take(visit, "/settings", "settings");
  await take(visit, "/settings/custody", "custody");
  await take(visit, agent, "agent");
  await visit.close();
}

const ofMandates = ["mandate", "mandate-preview", "needs-you"];

const harness = await setHarness();
try {
  if (names.length === 0 || names.some((name) => !ofMandates.includes(name))) await takeStory(harness);
  if (ofMandates.some(isWanted)) await takeMandatePictures(harness, outDir);
} finally {
  await harness.end();
}
