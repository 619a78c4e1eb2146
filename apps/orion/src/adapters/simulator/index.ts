export { makeSimulator, type Simulator } from "./simulator.ts";
