import { join } from "node:path";
import { expect, it } from "vitest";
import { parseOptions, root } from "./options.ts";
import { defaultPorts } from "./ports.ts";

it("keeps the data in .data, on the known ports, unless told otherwise", () => {
  expect(parseOptions([])).toEqual({
    dataDir: join(root, ".data"),
    ports: defaultPorts,
    fresh: false,
    logs: false,
    story: true,
    world: true,
  });
});

it("takes a folder and consecutive ports for a second stack", () => {
  const options = parseOptions([
    "--fresh",
    "--logs",
    "--no-story",
    "--no-world",
    "--data",
    "/tmp/second",
    "--ports",
    "21000",
  ]);
  expect(options).toEqual({
    dataDir: "/tmp/second",
    ports: {
      api: 21_000,
      worker: 21_001,
      validator: 21_002,
      postgres: 21_003,
      restateIngress: 21_004,
      restateAdmin: 21_005,
      restateNode: 21_006,
      anvil: 21_007,
      ipfs: 21_008,
      orion: 21_009,
      orionWorker: 21_010,
      custodian: 21_011,
      walletProvider: 21_012,
      web: 21_013,
      world: 21_014,
      simulator: 21_015,
    },
    fresh: true,
    logs: true,
    story: false,
    world: false,
  });
});

it.each(["80", "32760", "many", "-1", "1e4", ""])("refuses --ports %j", (base) => {
  expect(() => parseOptions([`--ports=${base}`])).toThrow(
    "--ports takes a number from 1024 to 32752: the first of 16 ports.",
  );
});

it("refuses an option it does not know", () => {
  expect(() => parseOptions(["--frehs"])).toThrow("Unknown option '--frehs'");
});

it("has nothing to start when only help was asked for", () => {
  expect(parseOptions(["--help"])).toBeUndefined();
});
