// Checks the Node version and the permissions of the credentials.
import { stat } from "node:fs/promises";
import type { Context } from "../context.ts";
import { CliError } from "../errors.ts";
import type { Profiles } from "../profiles/profiles.ts";
import { fail, ok, warn, type Finding } from "./finding.ts";

const leastNode = 24;

export const examineMachine = async ({
  profiles,
}: Pick<Context, "profiles">): Promise<readonly Finding[]> => [
  nodeFinding(process.versions.node),
  ...(await profileFindings(profiles)),
];

export const nodeFinding = (version: string): Finding =>
  Number.parseInt(version, 10) >= leastNode
    ? ok("node", version)
    : fail("node", `${version} is too old`, `Install Node ${leastNode} or later: https://nodejs.org`);

async function profileFindings(profiles: Profiles): Promise<readonly Finding[]> {
  const { file, directory } = profiles;
  try {
    const count = Object.keys((await profiles.read()).profiles).length;
    if (count === 0) return [ok("profiles", "none yet")];
    return [
      ok("profiles", `${count} in ${file}`),
      ...(await modeFinding(file, 0o600)),
      ...(await modeFinding(directory, 0o700)),
    ];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [fail("profiles", error.message, error.hint ?? `Check ${file}`)];
  }
}

async function modeFinding(path: string, wanted: number): Promise<readonly Finding[]> {
  const mode = (await stat(path)).mode & 0o777;
  if ((mode & ~wanted) === 0 || process.platform === "win32") return [];
  const [is, should] = [mode, wanted].map((bits) => bits.toString(8).padStart(4, "0"));
  return [
    warn(
      "file mode",
      `${path} is ${is ?? ""}: others can read your credentials`,
      `chmod ${should ?? ""} ${path}`,
    ),
  ];
}
