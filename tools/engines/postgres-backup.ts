// A base backup of a running PostgreSQL, as pg_basebackup makes one, which is not among the programs from npm.
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** Their content belongs to the running server, or is made again from the log. */
const emptied = new Set([
  ...["pg_wal", "pg_replslot", "pg_dynshmem", "pg_notify", "pg_serial", "pg_snapshots", "pg_stat_tmp"],
  "pg_subtrans",
]);
const leftOut = new Set([
  "postmaster.pid",
  "postmaster.opts",
  "backup_label",
  "standby.signal",
  "recovery.signal",
]);

type Backup = {
  /** A database of the server that is copied. */
  readonly url: string;
  /** Its data folder, and an empty or new one. */
  readonly from: string;
  readonly to: string;
  /** Whether to wait until the log that the copy needs is archived. Otherwise a standby has to fetch it. */
  readonly isArchived: boolean;
};

/** Copies the files of the server while it runs. The copy is consistent once the log since its beginning was replayed. */
export async function backUpPostgres({ url, from, to, isArchived }: Backup): Promise<void> {
  rmSync(to, { recursive: true, force: true });
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query("select pg_backup_start('copy', true)");
    copyFolder(from, to, "");
    const { rows } = await client.query<{ label: string }>(
      "select labelfile as label from pg_backup_stop($1)",
      [isArchived],
    );
    const label = join(to, "backup_label");
    writeFileSync(label, rows[0]?.label ?? "", { mode: 0o600 });
    own(label, from);
  } finally {
    await client.end();
  }
}

/** A new file has the owner of what it is a copy of. Only root can copy for another user. */
function own(file: string, like: string): void {
  const { uid, gid } = statSync(like);
  if (process.getuid?.() === 0) chownSync(file, uid, gid);
}

function copyFolder(from: string, to: string, path: string): void {
  mkdirSync(join(to, path), { recursive: true, mode: 0o700 });
  own(join(to, path), from);
  for (const entry of readdirSync(join(from, path), { withFileTypes: true })) {
    const inside = join(path, entry.name);
    if (path === "" && leftOut.has(entry.name)) continue;
    if (entry.name.startsWith("pgsql_tmp")) continue;
    if (entry.isDirectory()) {
      if (path === "" && emptied.has(entry.name)) makeEmpty(from, to, inside);
      else copyFolder(from, to, inside);
    } else copyFile(join(from, inside), join(to, inside));
  }
}

/** The server expects the folders below pg_wal. */
function makeEmpty(from: string, to: string, path: string): void {
  mkdirSync(join(to, path), { recursive: true, mode: 0o700 });
  own(join(to, path), from);
  for (const entry of readdirSync(join(from, path), { withFileTypes: true }))
    if (entry.isDirectory() && path === "pg_wal") makeEmpty(from, to, join(path, entry.name));
}

function copyFile(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (error) {
    // The server has deleted it in the meantime, and its log says so.
    if (!existsSync(from)) return;
    throw error;
  }
  own(to, from);
}
