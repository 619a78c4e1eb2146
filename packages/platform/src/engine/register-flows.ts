import { z } from "zod";

const Deployment = z.object({
  id: z.string(),
  services: z.array(z.object({ name: z.string(), revision: z.number() })),
});

export type Registration = { readonly deployment: string; readonly services: readonly string[] };

type Options = {
  readonly adminUrl: string;
  /** The address of the flows for the engine. A new version of changed flows needs a new address next to the old one. */
  readonly workerUrl: string;
  /** Replace what the engine knows of this address. For development: work in flight whose steps changed then fails. */
  readonly force: boolean;
};

/**
 * Registers the flows of an address. Work in progress stays at the address where it started; new work goes to
 * the one registered last. Without `force`, registering a known address again changes nothing.
 */
export async function registerFlows({ adminUrl, workerUrl, force }: Options): Promise<Registration> {
  const response = await fetch(`${adminUrl}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: workerUrl, force }),
    signal: AbortSignal.timeout(10_000),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`the engine refused ${workerUrl}: ${response.status} ${body}`);
  const { id, services } = Deployment.parse(JSON.parse(body));
  return { deployment: id, services: services.map(({ name }) => name) };
}
