import { generateKeyPairSync } from "node:crypto";
import { pemOf } from "../src/quorums/public-key.ts";

/** The PEM of a new key of somebody's. */
export const aPem = (): string => pemOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey);

/** Who the service is at the stand-in for the wallet provider. */
export const app = { appId: "app-1", appSecret: "canary-secret-of-the-app" } as const;

/** What the service is told of a provider at that address. */
export const settingsFor = (url: string): Record<string, string> => ({
  WALLET_PROVIDER_URL: url,
  WALLET_PROVIDER_APP_ID: app.appId,
  WALLET_PROVIDER_APP_SECRET: app.appSecret,
  WALLET_PROVIDER_NAME: "the-provider",
  SENDER_TIMEOUT_MS: "5000",
});
