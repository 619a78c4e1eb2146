// npm run first-decision -w apps/web -- OUT_DIR: goes from a notification to a decision on a phone, as an owner who has never
// done it, and counts screens, taps and characters in view. Takes a screenshot of each screen. Exits with 1 unless the decision
// is recorded. Joins the running stack (COUNTERSIGN_DATA), or starts one.
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Locator } from "playwright-core";
import { waitUntil } from "../../../tools/engines/wait.ts";
import { startPushStandIn, type PushStandIn } from "../../../tools/stand-ins/push/stand-in.ts";
import { button, makeScene, payment, theft, tokenApproval, type Scene } from "./flows/proposals.ts";
import { setHarness, type Harness, type Visit } from "./harness.ts";

const outDir = resolve(process.argv[2] ?? "/tmp/first-decision");
mkdirSync(outDir, { recursive: true });

const phone = { width: 390, height: 844 };
/** An adult reads about 240 words, or 1,200 characters, in a minute. */
const charactersPerSecond = 20;

type Count = { screens: number; taps: number; prompts: number; characters: number };

/** The characters of the text that is in view: of the open dialog, or else of the page. */
function textInView(): number {
  const inside = document.querySelector("dialog[open]") ?? document.body;
  const walker = document.createTreeWalker(inside, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let characters = 0;
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement?.closest(".sr-only, script, style, option") != null) continue;
    range.selectNodeContents(node);
    const { top, bottom, width } = range.getBoundingClientRect();
    if (width > 1 && bottom > 0 && top < innerHeight)
      characters += (node.textContent ?? "").replaceAll(/\s+/g, " ").trim().length;
  }
  return characters;
}

type Walk = {
  readonly visit: Visit;
  readonly count: Count;
  /** Counts a screen that the owner reads. */
  readonly read: (name: string) => Promise<void>;
  readonly tap: (wanted: Locator) => Promise<void>;
};

function makeWalk(visit: Visit, walkName: string, notification: string): Walk {
  const { page } = visit;
  const count: Count = { screens: 1, taps: 0, prompts: 0, characters: notification.length };
  return {
    visit,
    count,
    read: async (name) => {
      await page.waitForTimeout(500);
      count.screens += 1;
      count.characters += await page.evaluate(textInView);
      await page.screenshot({ path: join(outDir, `${walkName}-${count.screens}-${name}.png`) });
    },
    tap: async (wanted) => {
      await wanted.and(page.locator(":enabled")).first().tap();
      count.taps += 1;
    },
  };
}

type Decide = (walk: Walk) => Promise<void>;

/** Connects the wallet if the dialog asks for it. A wallet that reconnects late removes the button. */
async function connect({ visit: { page }, tap }: Walk, next: Locator): Promise<void> {
  const open = button(page, "Connect Test Wallet");
  await open.or(next).first().waitFor();
  await page.waitForTimeout(1000);
  if (await open.isVisible()) await tap(open);
}

const approveAndSend =
  ({ hasTick }: { readonly hasTick: boolean }): Decide =>
  async (walk) => {
    const { page } = walk.visit;
    await walk.tap(button(page, "Approve"));
    const next = button(page, "Continue in wallet");
    await next.waitFor();
    await walk.read("review");
    const tick = page.getByRole("checkbox", { name: /I understand/ });
    await connect(walk, (hasTick ? tick : next).and(page.locator(":enabled")));
    if (hasTick) await walk.tap(tick);
    await walk.tap(next);
    await page.getByText("Recorded at").waitFor();
    await walk.read("send");
    await walk.tap(page.getByRole("dialog").getByRole("button", { name: /^Send with / }));
    await page
      .getByRole("list", { name: "Steps of the approval" })
      .locator("[aria-current=step]")
      .getByText("Done", { exact: true })
      .waitFor();
    await walk.read("done");
  };

/** One tap: the wallet asks at once. */
const reject: Decide = async (walk) => {
  const { page } = walk.visit;
  await walk.tap(button(page, "Reject"));
  const recorded = page.getByText("Recorded at");
  await connect(walk, recorded);
  await recorded.waitFor();
  await walk.read("done");
};

/** Nothing to decide: it was blocked, and the page says why. */
const readOnly: Decide = async () => undefined;

type Case = {
  readonly name: string;
  readonly isSignedIn: boolean;
  readonly propose: (scene: Scene) => Promise<string>;
  readonly decide: Decide;
  readonly decision: "APPROVED" | "REJECTED" | undefined;
};

const cases: readonly Case[] = [
  {
    ...{ name: "matches-approve-send", isSignedIn: true, decision: "APPROVED" },
    propose: ({ agent }) => payment(agent),
    decide: approveAndSend({ hasTick: false }),
  },
  {
    ...{ name: "matches-signed-out", isSignedIn: false, decision: "APPROVED" },
    propose: ({ agent }) => payment(agent),
    decide: approveAndSend({ hasTick: false }),
  },
  {
    ...{ name: "matches-reject", isSignedIn: true, decision: "REJECTED" },
    propose: ({ agent }) => payment(agent),
    decide: reject,
  },
  {
    ...{ name: "unlimited-approve-send", isSignedIn: true, decision: "APPROVED" },
    propose: ({ agent }) => tokenApproval(agent),
    decide: approveAndSend({ hasTick: true }),
  },
  {
    ...{ name: "differs-read", isSignedIn: true, decision: undefined },
    propose: ({ agent }) => theft(agent),
    decide: readOnly,
  },
];

async function signIn({ visit: { page }, read, tap }: Walk): Promise<void> {
  const wallet = page.getByRole("button", { name: /Test Wallet/ });
  await wallet.waitFor();
  await read("sign-in");
  await tap(wallet);
}

/** Returns the notification about a proposal, as the phone gets it. */
async function notificationOf(
  push: PushStandIn,
  requestHash: string,
): Promise<{ readonly text: string; readonly path: string }> {
  const { payload } = await waitUntil(
    "the notification arrives",
    () => push.received.find((message) => String(message.payload["url"]).includes(requestHash)) ?? false,
  );
  const { title, body, url } = payload as Record<"title" | "body" | "url", string>;
  return { text: `${title}\n${body}`, path: new URL(url).pathname };
}

async function walkThrough(harness: Harness, push: PushStandIn, one: Case) {
  const scene = await makeScene(harness);
  const { client } = scene.owner;
  const publicKey = (await client.channels.kinds()).find(({ kind }) => kind === "push")?.publicKey ?? "";
  await client.channels.create({ kind: "push", subscription: push.subscribe(publicKey) });
  const requestHash = await one.propose(scene);
  const { text, path } = await notificationOf(push, requestHash);
  const visit = await harness.visit({ owner: scene.owner, screen: "phone", isSignedIn: one.isSignedIn });
  await visit.page.setViewportSize(phone);
  const walk = makeWalk(visit, one.name, text);
  const began = performance.now();
  walk.count.taps += 1; // on the notification
  await visit.goto(path);
  if (!one.isSignedIn) await signIn(walk);
  await visit.page.getByRole("region", { name: "Verdict" }).waitFor();
  await walk.read("page");
  await one.decide(walk);
  const machineMs = performance.now() - began;
  const { user } = (await client.transaction(requestHash)).approvals;
  if (user.at(-1)?.decision !== one.decision) throw new Error(`${one.name}: the decision is not recorded`);
  walk.count.prompts = visit.wallet.asked.filter(({ method }) =>
    ["eth_requestAccounts", "personal_sign", "eth_sendTransaction"].includes(method),
  ).length;
  await visit.close();
  return { case: one.name, ...walk.count, machineMs };
}

const harness = await setHarness();
const push = await startPushStandIn();
try {
  console.log("| Case | Screens | Taps | Wallet prompts | Characters in view | Reading | Machine |");
  console.log("| --- | --- | --- | --- | --- | --- | --- |");
  for (const one of cases) {
    const { screens, taps, prompts, characters, machineMs } = await walkThrough(harness, push, one);
    const [reading, machine] = [characters / charactersPerSecond, machineMs / 1000];
    console.log(
      `| ${one.name} | ${screens} | ${taps} | ${prompts} | ${characters} | ${reading.toFixed(0)} s | ${machine.toFixed(1)} s |`,
    );
  }
} finally {
  await push.close();
  await harness.end();
}
