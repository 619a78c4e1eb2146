import { z } from "zod";
import { healthRoute, ok, open, route, unlimited, type Health, type Route } from "@countersign/platform/http";

const About = z
  .object({
    name: z.string(),
    version: z.string(),
    inbox: z.string().meta({ description: "The service's inbox address, which its verdicts are signed by." }),
    fingerprint: z.string().meta({ description: "Of the OpenPGP key that proposals are sealed to." }),
    pgpPublicKey: z.string(),
  })
  .meta({ id: "About" });

type Parts = {
  readonly health: Health;
  readonly version: string;
  /** The public halves of the keys. */
  readonly identify: () => Pick<z.output<typeof About>, "inbox" | "fingerprint" | "pgpPublicKey">;
};

export const healthRoutes = ({ health, version, identify }: Parts): readonly Route[] => [
  route({
    method: "GET",
    path: "/",
    summary: "What this service is, and by which keys it is known",
    tag: "Health",
    auth: open,
    limit: unlimited,
    replies: { 200: About },
    handle: () => ok({ name: "Countersign orion", version, ...identify() }),
  }),
  healthRoute({ health, version }),
];
