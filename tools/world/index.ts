export { addresses, deployer, oddTokens } from "./addresses.ts";
export { fetchPackages } from "./fetch-packages.ts";
export { accountAbstraction, placeEntryPoints, type EntryPoints } from "./place-entry-points.ts";
export { buildSigners, buildWorld, type World } from "./build-world.ts";
