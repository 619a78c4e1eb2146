import { chmodSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Creates a temporary folder for a test. Other users may traverse it: as root, PostgreSQL runs as another user. */
export function makeTempDir(name: string): string {
  const dir = mkdtempSync(join(tmpdir(), `countersign-${name}-`));
  chmodSync(dir, 0o755);
  return dir;
}
