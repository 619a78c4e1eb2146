// What orion refuses in production beyond the defaults that its settings mark.
import type { Environment } from "@countersign/platform/config";
import { refuseMadeKey } from "@countersign/platform/secrets";
import type { Config } from "./config.ts";

/** A verifier that starts with a new key signs verdicts that no registered service stands for. */
const createSettings = ["VERDICT_KEY_CREATE", "PGP_KEY_CREATE"] as const;

export const refuseInProduction = (config: Config, environment: Environment): readonly string[] => [
  ...createSettings.flatMap((name) =>
    config[name]
      ? [`${name} must be false in production: make the keys with npm run admin -w apps/orion -- keys create`]
      : [],
  ),
  ...refuseMadeKey(config, environment),
];
