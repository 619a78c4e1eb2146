// Other people's programs, installed in this folder only: `npm ci --ignore-scripts --prefix tools/mcp-interop`.
import { fileURLToPath } from "node:url";
import { mayDoWithout } from "../testing/own-packages.ts";

const programs = {
  bnbChain: "@bnb-chain/mcp/dist/index.js",
  conformance: "@modelcontextprotocol/conformance/dist/index.js",
  inspector: "@modelcontextprotocol/inspector/clients/cli/build/index.js",
  mcpRemote: "mcp-remote/dist/proxy.js",
  sei: "@sei-js/mcp-server/bin/mcp-server.js",
} as const;

export const programFile = (name: keyof typeof programs): string =>
  fileURLToPath(new URL(`node_modules/${programs[name]}`, import.meta.url));

/** For `node --import`: a server of Sei needs it to start without a network. */
export const answerDocs = new URL("answer-docs.mjs", import.meta.url).href;

/** True, with a warning, where they are not installed. In CI they must be. */
export const mayDoWithoutPrograms = (): boolean =>
  mayDoWithout("tools/mcp-interop", "foreign MCP clients and servers are");
