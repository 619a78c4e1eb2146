import { generateKeyPairSync } from "node:crypto";
import { pemOf } from "../src/quorums/public-key.ts";

/** The PEM of a new key. */
export const aPem = (): string => pemOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey);

/** The service's credentials at the test double of the wallet provider. */
export const app = { appId: "app-1", appSecret: "canary-secret-of-the-app" } as const;

/** The settings for a provider at that address. */
export const settingsFor = (url: string): Record<string, string> => ({
  WALLET_PROVIDER_URL: url,
  WALLET_PROVIDER_APP_ID: app.appId,
  WALLET_PROVIDER_APP_SECRET: app.appSecret,
  WALLET_PROVIDER_NAME: "the-provider",
  SENDER_TIMEOUT_MS: "5000",
});
