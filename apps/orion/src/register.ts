import { runRegister } from "@countersign/platform/engine";
import { RegisterConfig } from "./config.ts";

// npm run register -w apps/orion: tells the engine where this app's flows are.
const isTold = await runRegister({ app: "orion", settings: RegisterConfig, environment: process.env });
if (!isTold) process.exitCode = 1;
