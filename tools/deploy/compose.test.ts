import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { Config as ApiConfig } from "../../apps/api/src/config.ts";
import { Config as OrionConfig } from "../../apps/orion/src/config.ts";
import { Config as WebConfig } from "../../apps/web/src/config.ts";

const root = join(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

const Compose = z.object({ services: z.record(z.string(), z.looseObject({ image: z.string() })) });
const { services } = Compose.parse(parse(read("deploy/compose.yaml"), { merge: true }));

describe.each(Object.entries(services))("the service %s of compose.yaml", (name, service) => {
  test("uses the image of its name, without privileges and on a read-only file system", () => {
    expect(read("Dockerfile")).toContain(`FROM runtime AS ${name}\n`);
    expect(service).toMatchObject({
      image: `countersign/${name}`,
      read_only: true,
      user: "65532:65532",
      cap_drop: ["ALL"],
      security_opt: ["no-new-privileges"],
    });
  });
});

test("env.example has only settings that exist", () => {
  const known = new Set([ApiConfig, OrionConfig, WebConfig].flatMap(({ shape }) => Object.keys(shape)));
  const names = [...read("deploy/env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(names.filter((name) => !known.has(name ?? ""))).toEqual([]);
});

test("env.example names every setting that production requires", () => {
  const required = [ApiConfig, OrionConfig, WebConfig].flatMap(({ shape }) =>
    Object.entries(shape).flatMap(([name, setting]) =>
      (setting as z.ZodType).meta()?.["inProduction"] === "required" ? [name] : [],
    ),
  );
  const example = read("deploy/env.example");
  for (const name of required) expect(example).toContain(`${name}=`);
});
