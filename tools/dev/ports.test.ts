import { createServer } from "node:net";
import { expect, it } from "vitest";
import { freePortRange } from "../engines/ports.ts";
import { checkPortsFree, defaultPorts, portCount, portsFrom } from "./ports.ts";

it("names the port that is taken, what it is for and who has it", async () => {
  const ports = portsFrom(String(await freePortRange(portCount)));
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(ports.validator, "127.0.0.1", resolve));
  await expect(checkPortsFree(ports)).rejects.toThrow(
    new RegExp(
      `^Port ${ports.validator} is needed for validator and is taken by pid ${process.pid} \\(.+\\)\\. Stop that`,
    ),
  );
  await new Promise((resolve) => server.close(resolve));
  await checkPortsFree(ports);
});

it("has no default port that an outgoing connection could be given", () => {
  expect(Math.max(...Object.values(defaultPorts))).toBeLessThan(32_768);
});
