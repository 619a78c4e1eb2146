// Runs both stand-ins as one process: KUBO_PORT, GATEWAY_PORT, PINNING_PORT and the two tokens come from the environment.
import { startKuboStandIn } from "./kubo.ts";
import { startPinningStandIn } from "./pinning-service.ts";

const {
  KUBO_PORT = "15001",
  GATEWAY_PORT = "18089",
  PINNING_PORT = "18093",
  KUBO_TOKEN,
  PINNING_TOKEN = "",
} = process.env;
if (PINNING_TOKEN === "") throw new Error("PINNING_TOKEN is required: the service checks it.");
const kubo = await startKuboStandIn({
  token: KUBO_TOKEN,
  port: Number(KUBO_PORT),
  gatewayPort: Number(GATEWAY_PORT),
});
const pinning = await startPinningStandIn({ token: PINNING_TOKEN, port: Number(PINNING_PORT) });
console.log(`IPFS_RPC_URL=${kubo.url}\nIPFS_URL=${kubo.gatewayUrl}\nPINNING_URL=${pinning.url}`);
