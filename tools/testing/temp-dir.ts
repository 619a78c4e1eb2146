import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder of its own for a test. Open to be walked through: as root, PostgreSQL runs as somebody else. */
export function makeTempDir(name: string): string {
  const dir = mkdtempSync(join(tmpdir(), `countersign-${name}-`));
  chmodSync(dir, 0o755);
  return dir;
}
