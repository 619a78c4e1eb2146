// One proposal from an agent's call to the chain, on the whole system, and the trace of it.
import { currentTraceparent, inTrace } from "@countersign/platform/trace";
import type { Hex } from "viem";
import { createCountersign } from "../../packages/sdk/src/index.ts";
import { waitUntil } from "../engines/wait.ts";
import { anOwner, type Owner, type Stage } from "../stage/index.ts";
import { recordHere } from "../stand-ins/collector/record-here.ts";
import type { Collector, ReceivedSpan } from "../stand-ins/collector/stand-in.ts";

/** The settings with which every service sends its spans there at once. */
export const traceEnvironment = ({ url }: Collector): Readonly<Record<string, string>> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: "200",
});

const friend: Hex = "0x742d35cc6634c0532925a3b844bc454e4438f44e";
/** In the request only. It may appear in no span. */
export const requestText = `Send 0.002 ETH to ${friend}`;

export type Followed = {
  readonly requestHash: Hex;
  readonly traceId: string;
  readonly decision: string;
  readonly owner: Owner;
  /** The spans of the trace that have arrived. */
  readonly spans: () => readonly ReceivedSpan[];
};

/** Proposes through the SDK in a trace of the agent's own, and returns once there is a verdict. */
export async function proposeInTrace(stage: Stage, collector: Collector): Promise<Followed> {
  const owner = await anOwner(stage, 1);
  const tracing = await recordHere(collector, "agent");
  const countersign = createCountersign({
    url: stage.urls.api,
    apiKey: owner.credentials().agent["x-api-key"] ?? "",
    traceparent: currentTraceparent,
  });
  const followed = await inTrace("pay a friend", {}, async (span) => {
    const chainId = stage.deployment.chainId;
    const tx = { to: friend, value: 2_000_000_000_000_000n };
    const { requestHash } = await countersign.propose({ userPrompt: requestText, chainId, tx });
    const { decision } = await countersign.waitForVerdict(requestHash);
    return { requestHash: requestHash as Hex, decision, traceId: span?.context.traceId ?? "" };
  });
  await tracing.close();
  const spans = () => collector.spans().filter(({ traceId }) => traceId === followed.traceId);
  return { ...followed, owner, spans };
}

/** The owner approves and their wallet sends it. Returns once the watcher's last change is in the trace. */
export async function executeOnChain(stage: Stage, { owner, requestHash, spans }: Followed): Promise<void> {
  await waitUntil("the owner can decide", async () => {
    await owner.decide(requestHash, "APPROVED");
    return true;
  });
  const view = async () => (await owner.list())?.find((one) => one.requestHash === requestHash);
  await waitUntil("it may be sent", async () => (await view())?.phase === "READY");
  await stage.chain.send(owner.wallet, { to: friend, value: 2_000_000_000_000_000n, data: "0x" });
  await waitUntil("it is final", async () => (await view())?.status === "EXECUTED", { seconds: 120 });
  await waitUntil(
    "its last change is in the trace",
    () => spans().some((span) => span.name === "watch: EXECUTED"),
    { seconds: 60 },
  );
}
