// node apps/validator/src/audit/ask.ts [x.pairs.json …]: what this tree says of each pair, a line each.
import { startEngine } from "../testing/real-engine.ts";
import { auditFiles, readPairs, requestOf } from "./pairs.ts";

const { ask } = await startEngine();
const asked = process.argv.slice(2);
for (const file of asked.length > 0 ? asked : auditFiles()) {
  for (const pair of readPairs(file)) {
    const verdict = await ask(JSON.stringify(requestOf(pair)));
    const { kind = "-" } =
      (verdict as { readonly assessment?: { readonly kind: string } } | null)?.assessment ?? {};
    console.log(
      `${verdict?.decision ?? "422"}\t${kind}\t${file}\t${pair.class}: ${pair.name}\t${verdict?.reason ?? ""}`,
    );
  }
}
