// Reads the Kubernetes manifests of deploy/ and checks each against the schema of its kind.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { Job } from "kubernetes-models/batch/v1/Job";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Namespace } from "kubernetes-models/v1/Namespace";
import { Service } from "kubernetes-models/v1/Service";
import { ServiceAccount } from "kubernetes-models/v1/ServiceAccount";
import { parse, parseAllDocuments } from "yaml";
import { z } from "zod";

const base = join(import.meta.dirname, "../../deploy/kubernetes/base");

const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
export type Manifest = z.output<typeof Manifest>;

const Kustomization = z.object({ resources: z.array(z.string()) });

/** Returns the manifests of the base in the order of its kustomization. */
export function readManifests(): readonly Manifest[] {
  const text = readFileSync(join(base, "kustomization.yaml"), "utf8");
  return Kustomization.parse(parse(text)).resources.flatMap((file) =>
    parseAllDocuments(readFileSync(join(base, file), "utf8")).map((document) =>
      Manifest.parse(document.toJS()),
    ),
  );
}

type Model = new (manifest: never) => { readonly validate: () => void };

/** The kinds that we use. A new one is added here first. */
const models: Readonly<Record<string, Model>> = {
  "v1 ConfigMap": ConfigMap,
  "v1 Namespace": Namespace,
  "v1 Service": Service,
  "v1 ServiceAccount": ServiceAccount,
  "apps/v1 Deployment": Deployment,
  "batch/v1 Job": Job,
  "networking.k8s.io/v1 NetworkPolicy": NetworkPolicy,
  "policy/v1 PodDisruptionBudget": PodDisruptionBudget,
};

/** Throws if the manifest does not match the schema of its kind. */
export function checkSchema(manifest: Manifest): void {
  const name = `${manifest.apiVersion} ${manifest.kind}`;
  const Kind = models[name];
  if (Kind === undefined) throw new Error(`there is no schema for ${name}`);
  new Kind(manifest as never).validate();
}
