// npm run trace: proposes one transaction on a system of its own and prints its trace. With --write, puts it into the guide.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setStage } from "../stage/index.ts";
import { startCollector } from "../stand-ins/collector/stand-in.ts";
import { executeOnChain, proposeInTrace, traceEnvironment } from "./follow.ts";
import { renderTrace } from "./tree.ts";

const guide = join(import.meta.dirname, "../../docs/guides/follow-one-proposal.md");
const block = /(<!-- trace -->\n+```\n)[\s\S]*?(```\n)/;

const collector = await startCollector();
const stage = await setStage({ env: traceEnvironment(collector), isWorkerApart: true });
try {
  stage.chain.mineEvery(200);
  const followed = await proposeInTrace(stage, collector);
  await executeOnChain(stage, followed);
  const spans = followed.spans();
  const text = `trace ${followed.traceId}, ${spans.length} spans, verdict ${followed.decision}\n\n${renderTrace(spans)}`;
  console.log(text);
  if (process.argv.includes("--write")) {
    const page = readFileSync(guide, "utf8");
    if (!block.test(page)) throw new Error(`${guide} has no block for the trace`);
    writeFileSync(
      guide,
      page.replace(block, (_, before: string, after: string) => `${before}${text}\n${after}`),
    );
  }
} finally {
  await stage.end();
  await collector.close();
}
