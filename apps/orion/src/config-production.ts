// Settings that orion refuses in production, in addition to marked development defaults.
import type { Environment } from "@countersign/platform/config";
import { refuseMadeKey } from "@countersign/platform/secrets";
import type { Config } from "./config.ts";

/** A verifier that starts with a new key would sign verdicts that belong to no registered service. */
const createSettings = ["VERDICT_KEY_CREATE", "PGP_KEY_CREATE"] as const;

export const refuseInProduction = (config: Config, environment: Environment): readonly string[] => [
  ...createSettings.flatMap((name) =>
    config[name]
      ? [
          `${name} must be false in production: create the keys with npm run admin -w apps/orion -- keys create`,
        ]
      : [],
  ),
  // Only the key in a file is encrypted under it.
  ...(config.VERDICT_KMS_KEY === undefined ? refuseMadeKey(config, environment) : []),
];
