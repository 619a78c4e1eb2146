import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Config as ApiConfig } from "../../apps/api/src/config.ts";
import { Config as OrionConfig } from "../../apps/orion/src/config.ts";
import { Config as WebConfig } from "../../apps/web/src/config.ts";
import { checkSchema, readManifests, type Manifest } from "./kubernetes.ts";

const root = join(import.meta.dirname, "../..");
const manifests = readManifests();
const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8");

const Reference = z.object({
  configMapRef: z.object({ name: z.string() }).optional(),
  secretRef: z.object({ name: z.string() }).optional(),
});
const Container = z.looseObject({
  name: z.string(),
  image: z.string(),
  ports: z.array(z.object({ containerPort: z.number() })).default([]),
  envFrom: z.array(Reference).default([]),
  securityContext: z.unknown(),
});
const Workload = z.looseObject({
  spec: z.looseObject({
    template: z.looseObject({
      spec: z.looseObject({
        automountServiceAccountToken: z.boolean(),
        securityContext: z.looseObject({ runAsNonRoot: z.boolean() }),
        initContainers: z.array(Container).default([]),
        containers: z.array(Container),
        volumes: z
          .array(z.looseObject({ secret: z.looseObject({ secretName: z.string() }).optional() }))
          .default([]),
      }),
    }),
  }),
});

const ofKind = (...kinds: readonly string[]): readonly Manifest[] =>
  manifests.filter(({ kind }) => kinds.includes(kind));
const podOf = (manifest: Manifest) => Workload.parse(manifest).spec.template.spec;
const containersOf = (manifest: Manifest) => [
  ...podOf(manifest).initContainers,
  ...podOf(manifest).containers,
];
const named = (list: readonly Manifest[]) =>
  list.map((manifest) => [manifest.metadata.name, manifest] as const);
const namesOf = (...kinds: readonly string[]): readonly string[] =>
  ofKind(...kinds).map(({ metadata }) => metadata.name);

test.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
  "%s matches the schema of its kind",
  (_, manifest) => {
    checkSchema(manifest);
  },
);

test("the schema rejects a manifest with a wrong field", () => {
  const [deployment] = ofKind("Deployment");
  const wrong = { ...deployment, spec: { replicas: "two" } } as unknown as Manifest;
  expect(() => {
    checkSchema(wrong);
  }).toThrow("replicas");
});

describe.each(named(ofKind("Deployment", "Job")))("the pod of %s", (name, manifest) => {
  test("runs without privileges on a read-only file system", () => {
    expect(podOf(manifest)).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, runAsUser: 65532, seccompProfile: { type: "RuntimeDefault" } },
    });
    for (const { securityContext } of containersOf(manifest))
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
  });

  test("uses images and ports that the Dockerfile has", () => {
    for (const { image, ports } of containersOf(manifest)) {
      const target = image.replace("countersign/", "");
      const [, stage = ""] =
        new RegExp(`FROM runtime AS ${target}\\n([^]*?)(?:\\nFROM|$)`).exec(dockerfile) ?? [];
      const exposed = (/^EXPOSE (.*)$/m.exec(stage)?.[1] ?? "").split(" ");
      expect(exposed).toEqual(
        expect.arrayContaining(ports.map(({ containerPort }) => String(containerPort))),
      );
    }
  });

  test("reads settings from the base's ConfigMaps and from Secrets that the README names", () => {
    const readme = readFileSync(join(root, "deploy/README.md"), "utf8");
    const references = containersOf(manifest).flatMap(({ envFrom }) => envFrom);
    for (const { configMapRef } of references)
      if (configMapRef !== undefined) expect(namesOf("ConfigMap")).toContain(configMapRef.name);
    const secrets = [
      ...references.flatMap(({ secretRef }) => (secretRef === undefined ? [] : [secretRef.name])),
      ...podOf(manifest).volumes.flatMap(({ secret }) => (secret === undefined ? [] : [secret.secretName])),
    ];
    for (const secret of secrets) expect(readme).toContain(`\`${secret}\``);
  });

  test("may use the network only as its own policy allows", () => {
    expect(namesOf("NetworkPolicy")).toContain(name);
  });
});

describe.each(named(ofKind("Deployment")))("%s", (name, manifest) => {
  test("has probes, a limit on memory and a disruption budget", () => {
    for (const container of podOf(manifest).containers)
      expect(container).toMatchObject({
        startupProbe: { tcpSocket: {} },
        readinessProbe: { httpGet: { path: "/ready" } },
        livenessProbe: { tcpSocket: {} },
        resources: { limits: { memory: expect.any(String) as string } },
      });
    expect(namesOf("PodDisruptionBudget")).toContain(name);
    expect(namesOf("Service")).toContain(name);
  });
});

test("the engine reaches orion before orion is ready, which it is only after that", () => {
  const service = ofKind("Service").find(({ metadata }) => metadata.name === "orion");
  expect(service?.["spec"]).toMatchObject({ publishNotReadyAddresses: true });
});

test("denies all traffic that no policy allows", () => {
  const denial = manifests.find(({ metadata }) => metadata.name === "deny-all");
  expect(denial?.["spec"]).toEqual({ podSelector: {}, policyTypes: ["Ingress", "Egress"] });
});

test("contains no Secret: they are created outside of the repository", () => {
  expect(ofKind("Secret")).toEqual([]);
});

test.each([
  ["countersign-api", ApiConfig],
  ["countersign-orion", OrionConfig],
  ["countersign-web", WebConfig],
])("the ConfigMap %s has only settings that exist, and none that is secret", (name, schema) => {
  const map = ofKind("ConfigMap").find(({ metadata }) => metadata.name === name);
  const settings = z.record(z.string(), z.string()).parse(map?.["data"]);
  for (const setting of Object.keys(settings)) {
    const known = (schema.shape as Readonly<Record<string, z.ZodType>>)[setting];
    expect(known, setting).toBeDefined();
    expect(known?.meta()?.["secret"], setting).not.toBe(true);
  }
});
