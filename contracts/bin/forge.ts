// Runs the forge that npm installed, in the contracts folder, whatever the caller's folder is. As a command it hands its
// arguments over and takes forge's exit code.
import { spawn } from "node:child_process";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(import.meta.dirname, "..");

/** Runs forge; resolves with its exit code and, unless `live`, with what it printed. */
export function runForge(
  args: readonly string[],
  { live = false } = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(findForge(), args, {
    cwd: folder,
    env: forgeEnvironment(),
    stdio: live ? "inherit" : ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => output.push(text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => output.push(text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    // A forge that was killed has no code; that is a failure too.
    child.on("close", (code) => {
      resolve({ code: code ?? 1, output: output.join("") });
    });
  });
}

function findForge(): string {
  const platform = `${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`;
  const name = `@foundry-rs/forge-${platform}`;
  try {
    return join(dirname(findPackageFile(name)), "bin", "forge");
  } catch (cause) {
    throw new Error(
      `forge is not installed for ${platform}. Run \`npm install\`; if this platform is not among the ` +
        `optionalDependencies of contracts/package.json, run \`npm install --no-save ${name}\`.`,
      { cause },
    );
  }
}

function forgeEnvironment(): NodeJS.ProcessEnv {
  const openZeppelin = dirname(findPackageFile("@openzeppelin/contracts"));
  const commands = join(folder, "..", "node_modules", ".bin");
  return {
    ...process.env,
    // bin/solc must run on the repository's Node.
    PATH: `${commands}${delimiter}${process.env["PATH"] ?? ""}`,
    // Absolute, because forge's linter and coverage lose relative imports behind a remapping to "../".
    FOUNDRY_REMAPPINGS: `@openzeppelin/contracts/=${openZeppelin}/`,
  };
}

const findPackageFile = (name: string): string => fileURLToPath(import.meta.resolve(`${name}/package.json`));

if (import.meta.main) {
  process.exitCode = (await runForge(process.argv.slice(2), { live: true })).code;
}
