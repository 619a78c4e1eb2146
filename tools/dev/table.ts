import { relative } from "node:path";
import { seconds } from "./progress.ts";
import type { Stack } from "./stack.ts";

const header = { name: "part", address: "address", status: "status", logFile: "log" };
const columns = ["name", "address", "status", "logFile"] as const;

/** Every part on a line, with where it is and where its log is. */
function renderTable({ parts }: Pick<Stack, "parts">, cwd: string): string {
  const rows = [header, ...parts().map((part) => ({ ...part, logFile: shortest(part.logFile, cwd) }))];
  const widths = columns.map((column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) => columns.map((column, index) => row[column].padEnd(widths[index] ?? 0)).join("  "))
    .map((line) => `  ${line.trimEnd()}`)
    .join("\n");
}

/** The table, the contracts, and what to do next. */
export function renderStack(
  stack: Stack,
  { cwd, dataDir, tookMs }: { cwd: string; dataDir: string; tookMs: number },
): string {
  const { accountRegistry, serviceRegistry, inbox } = stack.contracts;
  const exited = stack.parts().filter(({ status }) => status.startsWith("exited"));
  const state = exited.length === 0 ? "All green" : `Up without ${exited.map(({ name }) => name).join(", ")}`;
  const tried = (["api", "validator", "ipfs"] as const).find((name) =>
    stack.parts().some((part) => part.name === name),
  );
  const isPageThere = stack.parts().some(({ name }) => name === "web");
  return `
${renderTable(stack, cwd)}

  contracts  account registry  ${accountRegistry}
             service registry  ${serviceRegistry}
             inbox             ${inbox}

  keys       admin  ${stack.serverKeys.admin}
             orion  ${stack.serverKeys.orion}

${state} in ${seconds(tookMs)}. Try: curl ${stack.urls[tried ?? "ipfs"]}/health${isPageThere ? `\nOr open ${stack.urls.web}` : ""}
Ctrl-C stops everything; data stays in ${shortest(dataDir, cwd)} (--fresh starts over, --logs shows logs)
`;
}

const shortest = (path: string, cwd: string): string => {
  const short = relative(cwd, path);
  return short.length > 0 && short.length < path.length ? short : path;
};
