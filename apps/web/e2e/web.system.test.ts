// Tests the pages in a real browser with a signing wallet, against one system for all flows.
import { afterAll, beforeAll, describe } from "vitest";
import { accessFlows } from "./flows/access.ts";
import { agentFlows } from "./flows/agents.ts";
import { connectFlows } from "./flows/connect.ts";
import { consentFlows } from "./flows/consent.ts";
import { custodyFlows } from "./flows/custody.ts";
import { decideFlows } from "./flows/decide.ts";
import { effectFlows } from "./flows/effects.ts";
import { endingFlows } from "./flows/endings.ts";
import { everywhereFlows } from "./flows/everywhere.ts";
import { executeFlows } from "./flows/execute.ts";
import { homeFlows } from "./flows/home.ts";
import { hostileFlows } from "./flows/hostile.ts";
import { inboxFlows } from "./flows/inbox.ts";
import { myAgentFlows } from "./flows/my-agents.ts";
import { notificationFlows } from "./flows/notifications.ts";
import { pushFlows } from "./flows/push.ts";
import { recipientFlows } from "./flows/recipients.ts";
import { reportFlows } from "./flows/report.ts";
import { settingsFlows } from "./flows/settings.ts";
import { shapeFlows } from "./flows/shapes.ts";
import { signInFlows } from "./flows/sign-in.ts";
import { signatureFlows } from "./flows/signature.ts";
import { truthFlows } from "./flows/truth.ts";
import { tryFlows } from "./flows/try.ts";
import { setHarness, type Harness } from "./harness.ts";

let set: Harness | undefined;
const harness = (): Harness => {
  if (set === undefined) throw new Error("The harness is not set.");
  return set;
};

beforeAll(async () => {
  set = await setHarness();
});
afterAll(async () => {
  await set?.end();
});

// Visits have their own browser and owner and mostly wait, so several run in parallel.
describe.concurrent("the pages", () => {
  for (const flows of [
    signInFlows,
    shapeFlows,
    homeFlows,
    agentFlows,
    hostileFlows,
    everywhereFlows,
    connectFlows,
    consentFlows,
    accessFlows,
    myAgentFlows,
    settingsFlows,
    notificationFlows,
    pushFlows,
    custodyFlows,
    recipientFlows,
    reportFlows,
    tryFlows,
    inboxFlows,
    decideFlows,
    effectFlows,
    endingFlows,
    executeFlows,
    signatureFlows,
    truthFlows,
  ])
    flows(harness);
});
