// What a reader has from elsewhere: an account of their own on the running system. Prints it as JSON. A process of its own,
// because the examples ask at their first line where the system is.
import { makeAccount } from "../../examples/make-account.ts";

const { wallet, asOwner, asAgent } = await makeAccount();

process.stdout.write(
  JSON.stringify({
    ADDRESS: wallet.address,
    TOKEN: asOwner["authorization"]?.replace("Bearer ", ""),
    COUNTERSIGN_API_KEY: asAgent["x-api-key"],
  }),
);
