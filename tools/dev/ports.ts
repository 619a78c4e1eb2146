import { isPortFree } from "../engines/ports.ts";
import { findListener } from "../engines/sockets.ts";

const portNames = [
  "api",
  "worker",
  "validator",
  "postgres",
  "restateIngress",
  "restateAdmin",
  "restateNode",
  "anvil",
  "ipfs",
  "orion",
  "orionWorker",
  "custodian",
  "walletProvider",
  "web",
  "world",
  "simulator",
] as const;
type PortName = (typeof portNames)[number];

export type StackPorts = Readonly<Record<PortName, number>>;

/** How many ports in a row a stack takes. */
export const portCount = portNames.length;

/** The engines' are not their usual ones, so that an engine installed on the machine is not in the way. */
export const defaultPorts: StackPorts = {
  api: 3000,
  worker: 3001,
  validator: 8000,
  orion: 8100,
  orionWorker: 8101,
  postgres: 15_432,
  restateIngress: 18_080,
  restateAdmin: 19_070,
  restateNode: 15_122,
  anvil: 18_545,
  ipfs: 18_088,
  custodian: 18_091,
  walletProvider: 18_092,
  web: 5173,
  world: 18_745,
  simulator: 8200,
};

// From 32768 on the kernel hands ports to outgoing connections, and any of ours could be taken by accident.
const lowest = 1024;
const beyond = 32_768;

/** Consecutive ports, in the order in which they are named above. */
export function portsFrom(base: string): StackPorts {
  const first = /^\d+$/.test(base) ? Number(base) : 0;
  if (first < lowest || first + portCount > beyond)
    throw new Error(
      `--ports takes a number from ${lowest} to ${beyond - portCount}: the first of ${portCount} ports.`,
    );
  return Object.fromEntries(portNames.map((name, index) => [name, first + index])) as StackPorts;
}

/** Throws a sentence that names the first port in use and its process. */
export async function checkPortsFree(ports: StackPorts): Promise<void> {
  for (const name of portNames) {
    const port = ports[name];
    if (await isPortFree(port)) continue;
    const holder = findListener(port);
    const who =
      holder === undefined
        ? "a process that cannot be seen from here"
        : `pid ${holder.pid} (${holder.command})`;
    throw new Error(
      `Port ${port} is needed for ${name} and is taken by ${who}. Stop that, or use other ports: npm run dev -- --ports 21000`,
    );
  }
}
