import { z } from "zod";
import { healthRoute, ok, open, route, unlimited, type Health, type Route } from "@countersign/platform/http";

const About = z
  .object({
    name: z.string(),
    version: z.string(),
    inbox: z.string().meta({ description: "The service's inbox address, which signs its verdicts." }),
    fingerprint: z
      .string()
      .meta({ description: "The fingerprint of the OpenPGP key that proposals are encrypted to." }),
    pgpPublicKey: z.string(),
  })
  .meta({ id: "About" });

type Parts = {
  readonly health: Health;
  readonly version: string;
  /** The public keys. */
  readonly identify: () => Pick<z.output<typeof About>, "inbox" | "fingerprint" | "pgpPublicKey">;
};

export const healthRoutes = ({ health, version, identify }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/",
    summary: "Describe this service and its public keys",
    tag: "Health",
    auth: open,
    limit: unlimited,
    replies: { 200: About },
    handle: () => ok({ name: "Countersign orion", version, ...identify() }),
  }),
  healthRoute({ health, version }),
];
