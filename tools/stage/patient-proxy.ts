// A proxy for a service that may be down. It holds callers until the service is back, whereas a closed port would refuse
// them and they would back off.
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "../engines/ports.ts";

export type PatientProxy = { readonly url: string; readonly close: () => void };

const lookEveryMs = 20;

/** Undefined when the caller would not wait. */
async function reach(port: number, caller: Socket): Promise<Socket | undefined> {
  while (!caller.destroyed) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return socket;
    } catch {
      await sleep(lookEveryMs);
    }
  }
  return undefined;
}

/** One end gone is both gone: a killed process is seen as soon as without us. */
function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.pipe(to);
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  }
}

export async function startPatientProxy(target: string): Promise<PatientProxy> {
  const callers = new Set<Socket>();
  const server = createServer((caller) => {
    callers.add(caller);
    caller.on("close", () => callers.delete(caller));
    // An error before the sockets are joined needs a listener too.
    caller.on("error", () => caller.destroy());
    void reach(Number(new URL(target).port), caller).then((service) => {
      if (service !== undefined) join(caller, service);
    });
  });
  const [port = 0] = await freePorts(1);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.close();
      for (const caller of callers) caller.destroy();
    },
  };
}
