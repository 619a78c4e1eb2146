// init and doctor as an operator runs them: as processes, on a real database and a real chain.
import { execFile } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { devAccounts, makeSupervisor, startAnvil } from "@countersign/tools/engines";
import {
  freePorts,
  makeTempDir,
  makeTestDatabase,
  startTestKms,
  type TestDatabase,
} from "@countersign/tools/testing";
import { basicEnvironment } from "../../../../tools/engines/environment.ts";

const program = fileURLToPath(new URL("../admin.ts", import.meta.url));
const dir = makeTempDir("api-init");
const supervisor = makeSupervisor({ logDir: dir });
const [deployer] = devAccounts();
let database: TestDatabase;
let environment: Record<string, string>;

beforeAll(async () => {
  const [anvilPort = 0, unused = 0] = await freePorts(2);
  const [anvil, made] = await Promise.all([
    startAnvil({ supervisor, dir: join(dir, "anvil"), port: anvilPort }),
    makeTestDatabase(),
  ]);
  database = made;
  environment = {
    DATABASE_URL: made.serviceUrl,
    DATABASE_MIGRATION_URL: made.url,
    SECRETS_KEY: Buffer.alloc(32, 3).toString("base64"),
    RPC_URLS: `${anvil.chainId}=${anvil.url}`,
    HOME_CHAIN_ID: String(anvil.chainId),
    ENGINE_INGRESS_URL: `http://127.0.0.1:${unused}`,
    IPFS_URL: `http://127.0.0.1:${unused}`,
    ORION_URL: `http://127.0.0.1:${unused}`,
    VALIDATOR_URL: `http://127.0.0.1:${unused}`,
  };
});
afterAll(async () => {
  await supervisor.stop();
  await database.drop();
  rmSync(dir, { recursive: true, force: true });
});

type Ran = { readonly code: number; readonly stdout: string; readonly stderr: string };
const admin = (command: string, changes: Record<string, string> = {}): Promise<Ran> =>
  new Promise((done) => {
    const env = { ...basicEnvironment(), ...environment, ...changes };
    execFile(process.execPath, [program, command], { env }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : 1, stdout, stderr });
    });
  });

const setup = (): Record<string, string> => ({
  DEPLOYER_PRIVATE_KEY: deployer?.privateKey ?? "",
  DEPLOYMENT_FILE: join(dir, "deployment.json"),
  FUND_WEI: "1000000000000000",
});

test("without a deployer it creates keys, and names what is missing", async () => {
  const { code, stdout, stderr } = await admin("init");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("contracts    not deployed: set DEPLOYER_PRIVATE_KEY");
  expect(stdout).toMatch(/recorder {5}0x[0-9a-fA-F]{40} has no gas yet/);
  expect(stdout).toMatch(/admin key {4}cs_admin_\w+ \(store it now/);
  expect(stdout).toMatch(/orion key {4}cs_orion_\w+/);
});

test("deploys the contracts, funds the wallets, and a second run changes nothing", async () => {
  const first = await admin("init", setup());
  expect([first.code, first.stderr]).toEqual([0, ""]);
  expect(first.stdout).toMatch(/contracts {4}on chain \d+ since block/);
  expect(first.stdout).toContain("received 1000000000000000 wei");
  expect(first.stdout).toMatch(/INBOX_ADDRESS=0x[0-9a-fA-F]{40}/);
  const deployed = readFileSync(join(dir, "deployment.json"), "utf8");

  const second = await admin("init", setup());
  expect(second.stdout).toContain("admin key    1 active");
  expect(second.stdout).toContain("has 1000000000000000 wei");
  expect(second.stdout).not.toContain("received");
  expect(readFileSync(join(dir, "deployment.json"), "utf8")).toBe(deployed);
  for (const { stdout } of [first, second]) expect(stdout).not.toContain(deployer?.privateKey);
});

test("rejects contracts in which the service's wallets have no role, and says what their owner has to call", async () => {
  const { stdout } = await admin("init", setup());
  const addresses = Object.fromEntries(
    [...stdout.matchAll(/^([A-Z_]+_ADDRESS)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  const { code, stderr } = await admin("init", {
    ...addresses,
    RECORDER_PRIVATE_KEY: `0x${"17".repeat(32)}`,
  });
  expect(code).toBe(1);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(stderr).toMatch(/is not a recorder of the Inbox: its owner has to call setRecorder\(0x/);
});

test("doctor names each part that fails with a remedy, and ends with an error", async () => {
  const { code, stdout } = await admin("doctor");
  expect(code).toBe(1);
  expect(stdout).toContain("ok    database     schema up to date");
  expect(stdout).toMatch(/ok {4}secrets/);
  expect(stdout).toContain("ok    gas");
  expect(stdout).toContain("FAIL  contracts    the addresses of the contracts are not set");
  expect(stdout).toContain("FAIL  engine");
  expect(stdout).toContain("Start apps/orion and check ORION_URL.");
  expect(stdout).toContain("5 of 9 checks failed.");
});

test.each(["aws", "google"] as const)(
  "sets up an installation whose keys are all in %s, and doctor signs with them",
  async (which) => {
    const [other, kms] = [await makeTestDatabase(), await startTestKms(dir)];
    try {
      const standIn = kms[which];
      const [registrar, recorder] = [standIn.addSigningKey(), standIn.addSigningKey()];
      const secretsKey = standIn.addWrappingKey();
      const keys = {
        ...kms.environment,
        ...{ DATABASE_URL: other.serviceUrl, DATABASE_MIGRATION_URL: other.url, SECRETS_KEY: "" },
        ...{ SECRETS_KEY_FILE: join(dir, "unused.key"), SECRETS_KMS_KEYS: secretsKey },
        ...{ REGISTRAR_KMS_KEY: registrar.name, REGISTRAR_KMS_ADDRESS: registrar.address },
        RECORDER_KMS_KEY: recorder.name,
      };
      const incomplete = await admin("init", keys);
      expect(incomplete.code).toBe(1);
      expect(incomplete.stderr).toContain(
        `RECORDER_KMS_ADDRESS is required: the key in the key service has the address ${recorder.address}`,
      );

      const whole = { ...keys, RECORDER_KMS_ADDRESS: recorder.address };
      const file = { DEPLOYMENT_FILE: join(dir, `deployment-${which}.json`) };
      const { code, stdout, stderr } = await admin("init", { ...setup(), ...file, ...whole });
      expect([code, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`encrypted under ${secretsKey}`);
      expect(stdout).toContain(`registrar    ${registrar.address}, key in ${registrar.name}`);
      expect(stdout).toContain(`${recorder.address} received 1000000000000000 wei`);
      expect(stdout).toMatch(/INBOX_ADDRESS=0x[0-9a-fA-F]{40}/);
      const well = await admin("doctor", whole);
      expect(well.stdout).toContain(`ok    signers      registrar with a key in ${registrar.name}`);
      standIn.behave("denies");
      const ill = await admin("doctor", whole);
      expect(ill.stdout).toMatch(
        /FAIL {2}signers .*\n.*REGISTRAR_KMS_KEY: .*(AccessDenied|PERMISSION_DENIED)/,
      );
      expect(ill.stdout).not.toMatch(/denied:|AKIA|Bearer/);
    } finally {
      await kms.close();
      await other.drop();
    }
  },
);

test("doctor does not create the keys that it misses", async () => {
  const other = await makeTestDatabase();
  try {
    const { stdout } = await admin("doctor", {
      DATABASE_URL: other.serviceUrl,
      DATABASE_MIGRATION_URL: other.url,
    });
    expect(stdout).toContain("there is no registrar-key yet");
    expect(stdout).toContain("ok    secrets      0 secrets");
  } finally {
    await other.drop();
  }
});
