export { documentConfig, writeConfigTable, writeEnvExample } from "./document-config.ts";
export { ConfigError, loadConfig, type Environment } from "./load-config.ts";
export { isProduction, loadServiceConfig } from "./production.ts";
export { flag, list, port, text, webAddress, wholeNumber } from "./settings.ts";
