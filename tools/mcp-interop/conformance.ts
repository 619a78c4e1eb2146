// The conformance suite of the protocol's authors, one process per scenario.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { freePorts, waitUntil, type Child, type Supervisor } from "../engines/index.ts";
import { makeTempDir } from "../testing/temp-dir.ts";
import type { Browser } from "./browser.ts";
import type { Check, Run, Wire } from "./judge.ts";
import { programFile } from "./programs.ts";

type Ground = {
  readonly supervisor: Supervisor;
  /** The server under test: our service, or a proxy in front of it. */
  readonly url: string;
};

/** Each of its runs leaves a folder with what it found, named after the scenario and the time. */
function takeChecks(dir: string): readonly Check[] {
  const checks = readdirSync(dir).flatMap(
    (folder) => JSON.parse(readFileSync(join(dir, folder, "checks.json"), "utf8")) as readonly Check[],
  );
  rmSync(dir, { recursive: true });
  return checks;
}

const start = ({ supervisor }: Ground, name: string, args: readonly string[]): Child =>
  supervisor.start({
    name,
    command: process.execPath,
    args: [programFile("conformance"), ...args],
    cwd: "/",
  });

export async function runScenario(ground: Ground, scenario: string, wire: Wire): Promise<Run> {
  const dir = makeTempDir("conformance");
  const where = ["--url", `${ground.url}/mcp`, "--scenario", scenario, "--spec-version", wire];
  await start(ground, `${scenario}-${wire}`, ["server", ...where, "-o", dir]).exited;
  return { scenario, wire, checks: takeChecks(dir) };
}

type Subject = Ground & {
  readonly browser: Pick<Browser, "visit">;
  /** Registers a public client that waits at a port of ours. */
  readonly registerClient: (redirectUri: string) => Promise<string>;
};

/** The suite for authorization servers. It prints the address that a person is to open, and waits for its answer. */
export async function runAuthorization(subject: Subject, wire: Wire): Promise<Run> {
  const { url, browser, registerClient } = subject;
  const dir = makeTempDir("conformance");
  const [port = 0] = await freePorts(1);
  const clientId = await registerClient(`http://127.0.0.1:${port}/callback`);
  const child = start(subject, `authorization-${wire}`, [
    "authorization",
    ...["--url", url, "--resource", `${url}/mcp`, "--client-id", clientId, "--port", String(port)],
    ...["--spec-version", wire, "-o", dir],
  ]);
  await browser.visit(await findAddress(child, url));
  await child.exited;
  return { scenario: "authorization", wire, checks: takeChecks(dir) };
}

/** The authorization address that a program has written for a person to open. */
export const findAddress = (child: Child, api: string): Promise<string> =>
  waitUntil(
    `${child.name} says where to go`,
    () => {
      const said = readFileSync(child.logFile, "utf8");
      // A whole line: the program may be in the middle of writing it.
      return new RegExp(`${api}/oauth/authorize\\?\\S+(?=\\s)`).exec(said)?.[0] ?? false;
    },
    { child },
  );
