// Runs the stand-in as a process of its own: HOST, PORT and RPC_URL come from the environment. Its keys end with it.
import { startCustodianStandIn } from "./stand-in.ts";

const { HOST, PORT, RPC_URL, CHAIN_ID, ASSET_ID } = process.env;
const custodian = await startCustodianStandIn({
  host: HOST,
  port: Number(PORT ?? "18091"),
  rpcUrl: RPC_URL,
  chainId: CHAIN_ID === undefined ? undefined : Number(CHAIN_ID),
  assetId: ASSET_ID,
});
console.log(`CUSTODIAN_URL=${custodian.url}`);
