// The package as its users get it: built, packed, installed into an empty project, and used from there.
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeTempDir } from "../../tools/testing/temp-dir.ts";

const root = join(import.meta.dirname, "../..");
const bin = join(root, "node_modules/.bin");
const dist = join(import.meta.dirname, "dist");
const project = makeTempDir("pack");
let tarball = "";

const execute = promisify(execFile);
type Run = { readonly stdout: string; readonly stderr: string };
/** Returns the output, or throws an error with it. */
const run = async (command: string, args: readonly string[], cwd = project): Promise<Run> => {
  const env = { ...process.env, NO_COLOR: "1", npm_config_nodedir: undefined };
  return execute(command, [...args], { cwd, env }).catch((error: unknown) => {
    const { stdout, stderr } = error as Run;
    throw new Error(`${command} ${args.join(" ")}\n${stdout}\n${stderr}`);
  });
};
const node = (...args: readonly string[]) => run(process.execPath, args);
const write = (name: string, text: string): void => {
  writeFileSync(join(project, name), text);
};
const install = (dir: string, ...packages: readonly string[]) => {
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, "package.json"), JSON.stringify({ name: "user", private: true, type: "module" }));
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline", "--silent"];
  return run("npm", ["install", ...packages, ...quiet], dir);
};

const peers = ["viem@2.57.1", "ethers@6.17.0", "ai@7.0.173", "@langchain/core@1.2.13"];

beforeAll(async () => {
  await run(process.execPath, ["build.ts"], import.meta.dirname);
  const { stdout } = await run("npm", ["pack", "--json", "--silent", "--pack-destination", project], dist);
  const [packed] = JSON.parse(stdout) as [{ readonly filename: string }];
  tarball = join(project, packed.filename);
  await install(project, tarball, ...peers);
  // It builds, packs and installs four libraries.
}, 300_000);
afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

const names =
  "createCountersign, guard, guardProvider, guardSigner, guardPayments, guardRpc, guardSafe, guardWalletProvider, verifyReceipt, readReport, toErc7715";
const imports = [
  'import { createCountersign } from "@countersign/sdk";',
  'import { guard } from "@countersign/sdk/viem";',
  'import { guardProvider } from "@countersign/sdk/eip1193";',
  'import { guardSigner } from "@countersign/sdk/ethers";',
  'import { guardPayments } from "@countersign/sdk/x402";',
  'import { guardSafe } from "@countersign/sdk/safe";',
  'import { guardRpc } from "@countersign/sdk/rpc";',
  'import { guardWalletProvider } from "@countersign/sdk/agentkit";',
  'import { verifyReceipt } from "@countersign/sdk/receipt";',
  'import { readReport } from "@countersign/sdk/report";',
  'import { toErc7715 } from "@countersign/sdk/interop";',
].join("\n");

describe("in Node", () => {
  test("imports each entry", async () => {
    write("esm.js", `${imports}\nconsole.log([${names}].map((one) => typeof one).join());`);
    expect((await node("esm.js")).stdout.trim()).toBe(
      Array.from({ length: names.split(",").length }, () => "function").join(),
    );
  });

  test("can be imported from CommonJS", async () => {
    const { exports } = JSON.parse(readFileSync(join(dist, "package.json"), "utf8")) as { exports: object };
    const all = Object.keys(exports)
      .filter((entry) => entry !== "./package.json")
      .map((entry) => `import("@countersign/sdk${entry.slice(1)}")`)
      .join(", ");
    write(
      "cjs.cjs",
      `Promise.all([${all}]).then((all) => console.log(all.every((one) => Object.keys(one).length > 0)));`,
    );
    expect((await node("cjs.cjs")).stdout.trim()).toBe("true");
  });

  test("shares error classes between entries", async () => {
    write(
      "errors.js",
      'import { CountersignError } from "@countersign/sdk";\nimport { NotApprovedError } from "@countersign/sdk/viem";\n' +
        'console.log(new NotApprovedError("no") instanceof CountersignError);',
    );
    expect((await node("errors.js")).stdout.trim()).toBe("true");
  });

  test("has no dependencies in the main entry", async () => {
    const alone = join(project, "alone");
    await install(alone, tarball, "--omit=peer");
    expect(readdirSync(join(alone, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
      "@countersign",
    ]);
    writeFileSync(
      join(alone, "main.js"),
      'import { ApiError } from "@countersign/sdk";\nconsole.log(typeof ApiError);',
    );
    expect((await run(process.execPath, ["main.js"], alone)).stdout.trim()).toBe("function");
  });
});

test("bundles for browsers without warnings or Node modules", async () => {
  write("page.js", `${imports}\nglobalThis.sdk = { ${names} };`);
  write("index.html", '<!doctype html><script type="module" src="/page.js"></script>');
  // One page with every entry and its peer dependencies is larger than the 500 kB that the bundler warns of.
  write("vite.config.js", "export default { build: { chunkSizeWarningLimit: 1000 } };");
  const { stdout, stderr } = await run(join(bin, "vite"), ["build", "--outDir", "site"]);
  expect(stderr).toBe("");
  expect(stdout).not.toMatch(/warn|externalized/i);
  const assets = join(project, "site/assets");
  const text = readdirSync(assets).map((name) => readFileSync(join(assets, name), "utf8"));
  expect(text.join("\n")).not.toMatch(/from ?["']node:|__vite-browser-external/);
});

describe("types", () => {
  const page = [
    imports,
    'import { BrowserProvider, type Signer } from "ethers";',
    'import { createWalletClient, custom, http, parseEther, publicActions } from "viem";',
    'import { privateKeyToAccount } from "viem/accounts";',
    'import { sepolia } from "viem/chains";',
    'const countersign = createCountersign({ url: "https://a.test", apiKey: "k" });',
    "const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);",
    "const bare = createWalletClient({ account, chain: sepolia, transport: http() });",
    'export const wallet = guard(bare, { countersign, words: "Send it" }).extend(publicActions);',
    'export const hash: Promise<`0x${string}`> = wallet.sendTransaction({ to: account.address, value: parseEther("1") });',
    'const provider = guardProvider({ request: bare.request }, { countersign, words: "Send it" });',
    "export const second = createWalletClient({ account: account.address, chain: sepolia, transport: custom(provider) });",
    "const browser = new BrowserProvider(provider);",
    'export const signer: Promise<Signer> = browser.getSigner().then((one) => guardSigner(one, { countersign, words: "" }));',
    'export const payer = guardPayments(account, { countersign, words: "Pay", networks: ["eip155:8453"] });',
    "const nobodys = createWalletClient({ transport: http() });",
    "// @ts-expect-error: it takes a wallet with an account",
    'guard(nobodys, { countersign, words: "" });',
    "export const found = verifyReceipt;",
    'export const decision: "PASS" | "REJECT" | undefined = readReport({})?.decision;',
  ].join("\n");
  const settings = [
    ["bundler", "ESNext"],
    ["nodenext", "NodeNext"],
  ] as const;
  test.each(settings)("compile in strict mode with %s resolution", async (moduleResolution, module) => {
    write("user.ts", page);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, exactOptionalPropertyTypes: true, skipLibCheck: true, types: [] },
      ...{ target: "ES2022", lib: ["ES2022", "DOM", "DOM.Iterable"], module, moduleResolution },
    };
    write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["user.ts"] }));
    await run(join(bin, "tsc"), ["-p", "tsconfig.json"]);
  });

  test("are complete without skipLibCheck", async () => {
    write(
      "plain.ts",
      'import { createCountersign } from "@countersign/sdk";\nexport const make = createCountersign;',
    );
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: false, types: [], target: "ES2022" },
      ...{ lib: ["ES2022", "DOM", "DOM.Iterable"], module: "NodeNext", moduleResolution: "NodeNext" },
    };
    write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["plain.ts"] }));
    await run(join(bin, "tsc"), ["-p", "tsconfig.json"]);
  });

  test("import only published packages", () => {
    const files = readdirSync(dist, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => /\.(js|d\.ts)$/.test(name)))
      expect(readFileSync(join(dist, file), "utf8"), file).not.toMatch(
        /from ["'](@countersign\/|canonicalize|zod)/,
      );
  });
});

describe("package", () => {
  test("passes publint", async () => {
    const { stdout } = await run(join(bin, "publint"), ["run", dist, "--strict", "--pack", "npm"]);
    expect(stdout).toMatch("All good");
  });

  test("resolves its types in every ES module setup", async () => {
    await run(join(bin, "attw"), [tarball, "--profile", "esm-only", "--no-emoji"]);
  });

  test("stays below the size limit", () => {
    const gzipped = (entries: readonly string[]): number => gzipSync(entriesText(entries)).length;
    const alone = gzipped(["index.js"]);
    const all = gzipped(["index.js", "viem/index.js", "receipt/index.js"]);
    const eip1193 = gzipped(["eip1193/index.js"]);
    const ethers = gzipped(["ethers/index.js"]);
    const x402 = gzipped(["x402/index.js"]);
    const rpc = gzipped(["rpc/index.js"]);
    const safe = gzipped(["safe/index.js"]);
    const agentkit = gzipped(["agentkit/index.js"]);
    const tools = ["ai", "langchain"].map((entry) => gzipped([`${entry}/index.js`]));
    const report = gzipped(["report/index.js"]);
    const interop = gzipped(["interop/index.js"]);
    console.log(
      `gzipped, without peer dependencies: main entry ${alone} bytes, with /viem and /receipt ${all} bytes, /eip1193 ${eip1193} bytes, /ethers ${ethers} bytes, /x402 ${x402} bytes, /rpc ${rpc} bytes, /safe ${safe} bytes, /agentkit ${agentkit} bytes, /ai and /langchain ${tools.join()} bytes, /report ${report} bytes, /interop ${interop} bytes`,
    );
    expect(alone).toBeLessThan(12_500);
    expect(all).toBeLessThan(42_000);
    expect(eip1193).toBeLessThan(26_500);
    expect(ethers).toBeLessThan(29_000);
    expect(x402).toBeLessThan(18_500);
    expect(rpc).toBeLessThan(27_500);
    expect(safe).toBeLessThan(29_000);
    expect(agentkit).toBeLessThan(25_500);
    for (const size of tools) expect(size).toBeLessThan(28_500);
    expect(report).toBeLessThan(5_500);
    expect(interop).toBeLessThan(10_000);
  });
});

/** Of these files and of all that they import of ours. */
function entriesText(entries: readonly string[]): string {
  const texts = new Map<string, string>();
  const read = (file: string): void => {
    if (texts.has(file)) return;
    const text = readFileSync(file, "utf8");
    texts.set(file, text);
    for (const [, path = ""] of text.matchAll(/from "(\.[^"]+)"/g)) read(join(file, "..", path));
  };
  for (const entry of entries) read(join(dist, entry));
  return [...texts.values()].join("\n");
}
