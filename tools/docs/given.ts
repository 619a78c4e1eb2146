// Creates the reader's account on the running system and prints it as JSON. A separate process, because the examples read
// the system's addresses when they are imported.
import { makeAccount } from "../../examples/make-account.ts";

const { wallet, asOwner, asAgent } = await makeAccount();

process.stdout.write(
  JSON.stringify({
    ADDRESS: wallet.address,
    TOKEN: asOwner["authorization"]?.replace("Bearer ", ""),
    COUNTERSIGN_API_KEY: asAgent["x-api-key"],
  }),
);
