// node tools/audit/main.ts [x.pairs.json …]: prints the validator's answer to each audit pair, one line each.
import { auditFiles, readPairs, requestOf } from "../../apps/validator/test/audit.ts";
import { startEngine } from "../../apps/validator/test/real-engine.ts";

const { ask } = await startEngine();
const asked = process.argv.slice(2);
for (const file of asked.length > 0 ? asked : auditFiles()) {
  for (const pair of readPairs(file)) {
    const verdict = await ask(JSON.stringify(requestOf(pair)));
    const kind = verdict?.assessment.kind ?? "-";
    console.log(
      [verdict?.decision ?? "422", kind, file, `${pair.class}: ${pair.name}`, verdict?.reason ?? ""].join(
        "\t",
      ),
    );
  }
}
