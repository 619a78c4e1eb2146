// Runs the stand-in for a person: node tools/stand-ins/wallet-provider/main.ts [--port 18092] [--app-id app]
// [--app-secret secret] [--rpc-url http://127.0.0.1:18545] [--behave good]
import { parseArgs } from "node:util";
import { behaviours, startWalletProviderStandIn } from "./stand-in.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "18092" },
    "app-id": { type: "string", default: "app" },
    "app-secret": { type: "string", default: "secret" },
    "rpc-url": { type: "string" },
    behave: { type: "string", default: "good" },
  },
});
const how = behaviours.find((name) => name === values.behave);
if (how === undefined) throw new Error(`--behave is one of ${behaviours.join(", ")}`);
const rpcUrl = values["rpc-url"];
const provider = await startWalletProviderStandIn({
  appId: values["app-id"],
  appSecret: values["app-secret"],
  port: Number(values.port),
  ...(rpcUrl === undefined ? {} : { rpcUrl }),
});
provider.behave(how);
console.log(
  `WALLET_PROVIDER_URL=${provider.url} WALLET_PROVIDER_APP_ID=${values["app-id"]} WALLET_PROVIDER_APP_SECRET=${values["app-secret"]}`,
);
