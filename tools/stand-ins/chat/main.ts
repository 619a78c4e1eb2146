// Runs the stand-in for a person: node tools/stand-ins/chat/main.ts [--port 18093] [--behave good]
import { parseArgs } from "node:util";
import { behaviours, startChatStandIn } from "./stand-in.ts";

const { values } = parseArgs({
  options: { port: { type: "string", default: "18093" }, behave: { type: "string", default: "good" } },
});
const how = behaviours.find((name) => name === values.behave);
if (how === undefined) throw new Error(`--behave is one of ${behaviours.join(", ")}`);
const chat = await startChatStandIn({ port: Number(values.port) });
chat.behave(how);
console.log(`SLACK_URL=${chat.url} DISCORD_URL=${chat.url}/api/webhooks TELEGRAM_URL=${chat.url}`);
