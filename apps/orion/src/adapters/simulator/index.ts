export { makeSimulator, type Captured, type Simulator } from "./simulator.ts";
