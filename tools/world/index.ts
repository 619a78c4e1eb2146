export { addresses, deployer, oddTokens } from "./addresses.ts";
export { buildWorld, type World } from "./build-world.ts";
