// Starts the services of deploy/compose.yaml with podman. Debian 12's podman-compose passes two networks for a service with
// `network_mode: host`, which podman rejects.
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

/** The members that our file uses. Strict, so that a new one is not ignored here. */
const Service = z.strictObject({
  image: z.string(),
  network_mode: z.literal("host"),
  env_file: z.string(),
  read_only: z.literal(true),
  user: z.string(),
  cap_drop: z.array(z.string()),
  security_opt: z.array(z.string()),
  tmpfs: z.array(z.string()),
  mem_limit: z.string(),
  pids_limit: z.number(),
  restart: z.string(),
  profiles: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
});
const Compose = z.looseObject({ services: z.record(z.string(), Service) });

const pairs = (option: string, values: readonly string[]): readonly string[] =>
  values.flatMap((value) => [option, value]);

/** Returns the arguments of `podman run` that start the service in the background. */
export function argumentsOf(file: string, name: string): readonly string[] {
  const { services } = Compose.parse(parse(readFileSync(file, "utf8"), { merge: true }));
  const service = services[name];
  if (service === undefined) throw new Error(`${file} has no service ${name}`);
  const folder = dirname(file);
  return [
    ...["run", "--detach", "--name", `countersign_${name}_1`, "--network", "host", "--read-only"],
    ...["--user", service.user, "--memory", service.mem_limit, "--pids-limit", String(service.pids_limit)],
    ...pairs("--cap-drop", service.cap_drop),
    ...pairs("--security-opt", service.security_opt),
    ...pairs("--tmpfs", service.tmpfs),
    ...pairs("--env-file", [resolve(folder, service.env_file)]),
    ...pairs(
      "--env",
      Object.entries(service.environment).map(([key, value]) => `${key}=${value}`),
    ),
    ...pairs(
      "--volume",
      service.volumes.map((volume) => volume.replace(/^\.\//, `${folder}/`)),
    ),
    service.image,
  ];
}
