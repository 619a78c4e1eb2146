// The safety net of a supervisor: a process of its own, in a session of its own, which holds one end of a pipe. A
// supervisor that ends for whatever reason, SIGKILL included, lets go of the other end; then the guard stops what the
// supervisor had started. It prints
// nothing and exits when its work is done.
import { createInterface } from "node:readline";
import type { ProcessIdentity } from "./process-identity.ts";
import { stopProcess } from "./stop-process.ts";

export type Charge = ProcessIdentity & { readonly stopSignal: NodeJS.Signals };
export type GuardMessage =
  { readonly watch: Charge } | { readonly forget: ProcessIdentity } | { readonly leave: true };

// A Ctrl-C does not reach this session. A signal sent to the guard must not make it abandon its processes either.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);

const charges: Charge[] = [];

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line) as GuardMessage;
  if ("leave" in message) process.exit(0);
  if ("watch" in message) charges.push(message.watch);
  else {
    const index = charges.findIndex(({ pid }) => pid === message.forget.pid);
    if (index >= 0) charges.splice(index, 1);
  }
}

for (const charge of charges.reverse()) await stopProcess(charge, charge.stopSignal);
process.exit(0);
