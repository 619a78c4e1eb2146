// Continuous archiving of PostgreSQL, and the restore of a base backup to a later point in time.
import { chmodSync, chownSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { preparePostgresHome } from "./postgres-home.ts";

export type PostgresArchive = {
  /** Where base backups go. */
  readonly backup: string;
  /** With these, the server archives its log. */
  readonly settings: readonly string[];
  /**
   * Replaces the data folder by the backup. Returns the settings with which the server replays the archived log up to that
   * time, as PostgreSQL writes it, and then takes writes.
   */
  readonly restore: (until: string) => readonly string[];
};

/** `dir` is the folder that the server is started with. The archive survives the loss of the data folder. */
export function openPostgresArchive(dir: string): PostgresArchive {
  const { home, cluster, user } = preparePostgresHome(dir);
  const [archive, backup] = [join(home, "archive"), join(home, "backup")];
  mkdirSync(archive, { recursive: true, mode: 0o700 });
  if (user !== undefined) chownSync(archive, user.uid, user.gid);
  return {
    backup,
    settings: ["archive_mode=on", `archive_command=test ! -f "${archive}/%f" && cp "%p" "${archive}/%f"`],
    restore: (until) => {
      rmSync(cluster, { recursive: true, force: true });
      cpSync(backup, cluster, { recursive: true });
      chmodSync(cluster, 0o700);
      writeFileSync(join(cluster, "recovery.signal"), "");
      return [
        `restore_command=cp "${archive}/%f" "%p"`,
        ...[`recovery_target_time=${until}`, "recovery_target_action=promote"],
      ];
    },
  };
}
