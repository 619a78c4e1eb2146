import { z } from "zod";
import { shown } from "../accounts/index.ts";
import {
  environments,
  integrationTypes,
  regions,
  type Integration,
  type IntegrationType,
} from "./integration.ts";

export const Type = z.enum(integrationTypes).meta({ description: "What the integration is for" });

const given = {
  vaultAccountId: z.string().optional(),
  environment: z.enum(environments).optional(),
  region: z.enum(regions).optional(),
  wallet: z
    .string()
    .optional()
    .meta({ description: "The vault's address, once the custodian has reported it" }),
};

export const IntegrationView = z
  .object({
    type: Type,
    status: z.enum(["none", "pending", "active"]),
    csr: z.string().nullable(),
    createdAt: z.iso.datetime().nullable(),
    ...given,
    cosigner: z
      .object({ callbackPath: z.string(), hasKey: z.boolean() })
      .optional()
      .meta({ description: "Where the custodian's co-signer asks, and whether its key is known" }),
  })
  .meta({
    id: "CustodyIntegration",
    description: "A connection to a custodian. It never contains a secret.",
  });

export const ConfigurationView = z
  .object({ type: Type, status: z.enum(["pending", "active"]), ethereumAddress: z.string(), ...given })
  .meta({
    id: "CustodyConfiguration",
    description: "The settings of a custody integration that a client needs.",
  });

const statusOf = ({ completion }: Integration): "pending" | "active" =>
  completion === null ? "pending" : "active";

// Lists each member, so that a new member of an integration is not shown by accident.
const givenOf = ({ completion, wallet }: Integration) => ({
  ...(completion !== null && {
    vaultAccountId: completion.vaultAccountId,
    environment: completion.environment,
    region: completion.region,
  }),
  ...(wallet !== null && { wallet: shown(wallet) }),
});

export function viewIntegration(
  type: IntegrationType,
  integration: Integration | undefined,
): z.infer<typeof IntegrationView> {
  if (integration === undefined) return { type, status: "none", csr: null, createdAt: null };
  const { id, csr, createdAt, cosignerPublicKey } = integration;
  return {
    ...{ type, status: statusOf(integration), csr, createdAt: createdAt.toISOString() },
    ...givenOf(integration),
    cosigner: { callbackPath: `/custody/cosigner/${id}`, hasKey: cosignerPublicKey !== null },
  };
}

export const viewConfiguration = (integration: Integration): z.infer<typeof ConfigurationView> => ({
  type: integration.type,
  status: statusOf(integration),
  ethereumAddress: shown(integration.account),
  ...givenOf(integration),
});
