export { documentConfig, writeConfigTable, writeEnvExample } from "./document-config.ts";
export { ConfigError, loadConfig, type Environment } from "./load-config.ts";
export { flag, list, port, text, webAddress, wholeNumber } from "./settings.ts";
