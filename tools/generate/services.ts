// The services as they describe themselves: built with their default settings, never started, nothing connected.
import { documentConfig } from "@countersign/platform/config";
import { loadConfig } from "@countersign/platform/config";
import type { ServiceOptions } from "@countersign/platform/http";
import { makeLog } from "@countersign/platform/log";
import * as api from "../../apps/api/src/composition/app.ts";
import { Config as ApiConfig, RegisterConfig } from "../../apps/api/src/config.ts";
import * as orion from "../../apps/orion/src/app.ts";
import { Config as OrionConfig, RegisterConfig as OrionRegisterConfig } from "../../apps/orion/src/config.ts";
import * as simulator from "../../apps/simulator/src/app.ts";
import { Config as SimulatorConfig } from "../../apps/simulator/src/config.ts";
import * as validator from "../../apps/validator/src/app.ts";
import { Config as ValidatorConfig } from "../../apps/validator/src/config.ts";
import { Config as WebConfig } from "../../apps/web/src/config.ts";

/** Apps that are configured by environment variables. */
export type DescribedApp = {
  readonly app: string;
  readonly settings: ReturnType<typeof documentConfig>;
};
export type DescribedService = DescribedApp & { readonly service: ServiceOptions };

const log = makeLog({ app: "generate", level: "silent" });

export function describeServices(): readonly DescribedService[] {
  const { service, routes } = api.makeApp(loadConfig(ApiConfig, {}), log);
  return [
    {
      app: "api",
      service: { ...service, routes },
      settings: [...documentConfig(ApiConfig), ...documentConfig(RegisterConfig)],
    },
    {
      app: "orion",
      service: orion.makeApp(loadConfig(OrionConfig, {}), log).service,
      settings: [...documentConfig(OrionConfig), ...documentConfig(OrionRegisterConfig)],
    },
    {
      app: "simulator",
      service: simulator.makeApp(loadConfig(SimulatorConfig, {}), log).service,
      settings: documentConfig(SimulatorConfig),
    },
    {
      app: "validator",
      service: validator.makeApp(loadConfig(ValidatorConfig, {}), log).service,
      settings: documentConfig(ValidatorConfig),
    },
  ];
}

/** Serves pages and no interface of its own. */
export const describePages = (): DescribedApp => ({ app: "web", settings: documentConfig(WebConfig) });
