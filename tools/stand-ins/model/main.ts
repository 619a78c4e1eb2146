// Runs the stand-in for a person: node tools/stand-ins/model/main.ts [--port 18090] [--key test] [--behave good]
import { parseArgs } from "node:util";
import { behaviours, startModelStandIn } from "./stand-in.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "18090" },
    key: { type: "string", default: "test" },
    behave: { type: "string", default: "good" },
  },
});
const how = behaviours.find((name) => name === values.behave);
if (how === undefined) throw new Error(`--behave is one of ${behaviours.join(", ")}`);
const model = await startModelStandIn({ key: values.key, port: Number(values.port) });
model.behave(how);
console.log(`MODEL_URL=${model.url} MODEL_ID=stand-in MODEL_KEY=${values.key}`);
