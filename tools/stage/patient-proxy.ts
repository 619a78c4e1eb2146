// Stands before a service that may be away. Whoever calls is held until it is back, where its bare port would refuse, and
// the caller come again later and later.
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
    // Until it is joined, too, an error must be heard by somebody.
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
