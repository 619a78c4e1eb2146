// node tools/images/collect.ts <out>: copies the files that each service needs to <out>/<service>, with a list of its
// packages. Runs in the build stage of the Dockerfile.
import {
  cpSync,
  globSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join, resolve } from "node:path";
import { nodeFileTrace } from "@vercel/nft";
import { describePackages } from "./sbom.ts";
import { services, type ServiceFiles } from "./services.ts";

const root = resolve(import.meta.dirname, "../..");

const isFile = (file: string): boolean => lstatSync(join(root, file)).isFile();

/** The tracer reads JavaScript. Lines and positions do not matter to it. */
async function readForTracer(path: string): Promise<string | Buffer | null> {
  try {
    const text = await readFile(path);
    return path.endsWith(".ts") && !path.endsWith(".d.ts")
      ? stripTypeScriptTypes(text.toString("utf8"))
      : text;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "EISDIR") return null;
    throw error;
  }
}

const isSource = (file: string): boolean => file.endsWith(".ts") && !file.endsWith(".test.ts");

async function findFiles(app: string, { programs, readAtRunTime }: ServiceFiles): Promise<readonly string[]> {
  const read = readAtRunTime.flatMap((pattern) => globSync(pattern, { cwd: root })).filter(isFile);
  const entries = [...programs.map((program) => `apps/${app}/src/${program}`), ...read.filter(isSource)];
  const { fileList } = await nodeFileTrace(
    entries.map((entry) => join(root, entry)),
    { base: root, processCwd: root, conditions: ["node", "import"], readFile: readForTracer },
  );
  return [...new Set([...fileList, ...read])].sort();
}

function copy(file: string, out: string): void {
  const [from, to] = [join(root, file), join(out, file)];
  const about = lstatSync(from);
  if (about.isDirectory()) return;
  mkdirSync(dirname(to), { recursive: true });
  if (about.isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else cpSync(from, to);
}

const [, , target] = process.argv;
if (target === undefined) throw new Error("usage: node tools/images/collect.ts <out>");
for (const [app, needed] of Object.entries(services)) {
  const out = join(target, app);
  const files = await findFiles(app, needed);
  for (const file of files) copy(file, out);
  cpSync(join(import.meta.dirname, "healthy.ts"), join(out, "healthy.ts"));
  writeFileSync(join(out, "package.json"), '{"type":"module","private":true}\n');
  const manifests = files.filter((file) => file.endsWith("/package.json") && isFile(file));
  const sbom = describePackages(
    `countersign-${app}`,
    manifests.map((file) => readFileSync(join(root, file), "utf8")),
  );
  writeFileSync(join(out, "sbom.cdx.json"), `${JSON.stringify(sbom, undefined, 2)}\n`);
  process.stdout.write(`${app}: ${files.length} files, ${sbom.components.length} packages\n`);
}
