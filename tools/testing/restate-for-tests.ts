import { rmSync } from "node:fs";
import { freePorts } from "../engines/ports.ts";
import { startRestate, type Restate } from "../engines/restate.ts";
import { makeSupervisor } from "../engines/supervisor.ts";
import { makeTempDir } from "./temp-dir.ts";

export type TestRestate = {
  readonly ingressUrl: string;
  readonly adminUrl: string;
  readonly identityKey: string;
  /** Ends the server as a power cut would. */
  readonly kill9: () => Promise<void>;
  /** Starts it again after a kill, with its data, on the same ports. A running one is stopped first. */
  readonly restart: () => Promise<void>;
  /** Starts it again without its data, as after the loss of its disk. It keeps its identity. */
  readonly restartEmpty: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** A Restate of its own for a test file. */
export async function startTestRestate(): Promise<TestRestate> {
  const dir = makeTempDir("restate");
  const supervisor = makeSupervisor({
    logDir: `${dir}/logs`,
    onUnexpectedExit: ({ name, reason, logFile }) => {
      console.error(`${name} of this test ended (${reason}). Its log is ${logFile}`);
    },
  });
  const [ingress = 0, admin = 0, node = 0] = await freePorts(3);
  const start = (): Promise<Restate> => startRestate({ supervisor, dir, ports: { ingress, admin, node } });
  let restate = await start();
  return {
    ingressUrl: restate.ingressUrl,
    adminUrl: restate.adminUrl,
    identityKey: restate.identityKey,
    kill9: () => restate.kill(),
    restart: async () => {
      await restate.stop();
      restate = await start();
    },
    restartEmpty: async () => {
      await restate.kill();
      rmSync(`${dir}/data`, { recursive: true, force: true });
      restate = await start();
    },
    stop: async () => {
      await supervisor.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
