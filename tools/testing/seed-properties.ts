// Before each file of tests: properties begin where the run begins.
import fc from "fast-check";
import { findRunSeed } from "./seed.ts";

fc.configureGlobal({ seed: findRunSeed() });
