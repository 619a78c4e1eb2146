// Other people's programs, installed in this folder only: `npm ci --ignore-scripts --prefix tools/mcp-interop`.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const programs = {
  conformance: "@modelcontextprotocol/conformance/dist/index.js",
  inspector: "@modelcontextprotocol/inspector/clients/cli/build/index.js",
  mcpRemote: "mcp-remote/dist/proxy.js",
} as const;

export const programFile = (name: keyof typeof programs): string =>
  fileURLToPath(new URL(`node_modules/${programs[name]}`, import.meta.url));

/** True, with a warning, where they are not installed. In CI they must be. */
export function mayDoWithoutPrograms(): boolean {
  const areThere = (Object.keys(programs) as (keyof typeof programs)[]).every((name) =>
    existsSync(programFile(name)),
  );
  if (areThere || (process.env["CI"] ?? "") !== "") return false;
  console.warn(
    "\n*** SKIPPED: tools/mcp-interop is not installed, so foreign MCP clients are NOT tested here: " +
      "npm ci --ignore-scripts --prefix tools/mcp-interop ***\n",
  );
  return true;
}
