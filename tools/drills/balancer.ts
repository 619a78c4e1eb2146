// A TCP load balancer, as the Service of a cluster is one: it passes each connection to one of several processes.
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "../engines/ports.ts";

export type Balancer = {
  readonly url: string;
  readonly port: number;
  /** From now on new connections go to these ports only. Open ones stay where they are. */
  readonly setTargets: (ports: readonly number[]) => void;
  readonly close: () => void;
};

type Options = {
  readonly targets: readonly number[];
  /** A path that a target answers with 200 while it wants new connections. Without one, all are used. */
  readonly readyPath?: string;
};

const lookEveryMs = 200;

/** A target that refuses is passed over. Undefined if all do. */
async function reach(ports: readonly number[]): Promise<Socket | undefined> {
  for (const port of ports) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return socket;
    } catch {
      socket.destroy();
    }
  }
  return undefined;
}

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

async function isReady(port: number, path: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(2_000) });
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

export async function startBalancer({ targets, readyPath }: Options): Promise<Balancer> {
  let all = targets;
  let unready = new Set<number>();
  let next = 0;
  const sockets = new Set<Socket>();
  const closing = new AbortController();

  const watch = async (path: string): Promise<void> => {
    while (!closing.signal.aborted) {
      const looks = await Promise.all(all.map(async (port) => ({ port, is: await isReady(port, path) })));
      unready = new Set(looks.flatMap(({ port, is }) => (is ? [] : [port])));
      await sleep(lookEveryMs, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  };
  /** Those that are ready first, beginning with another one each time. If none is, any may be tried. */
  const inOrder = (): readonly number[] => {
    const first = next++ % Math.max(1, all.length);
    const turned = [...all.slice(first), ...all.slice(0, first)];
    return [...turned.filter((port) => !unready.has(port)), ...turned.filter((port) => unready.has(port))];
  };
  const server: Server = createServer({ pauseOnConnect: true }, (caller) => {
    sockets.add(caller);
    caller.on("close", () => sockets.delete(caller));
    caller.on("error", () => caller.destroy());
    void reach(inOrder()).then((target) => {
      if (target === undefined || caller.destroyed) {
        caller.destroy();
        target?.destroy();
        return;
      }
      join(caller, target);
      caller.resume();
    });
  });
  const [port = 0] = await freePorts(1);
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  if (readyPath !== undefined) void watch(readyPath);
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    setTargets: (ports) => {
      all = ports;
    },
    close: () => {
      closing.abort();
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
