export { addresses, deployer, oddTokens } from "./addresses.ts";
export { fetchPackages } from "./fetch-packages.ts";
export { buildWorld, type World } from "./build-world.ts";
