import { runRegister } from "@countersign/platform/engine";
import { RegisterConfig } from "./config.ts";

// npm run register -w apps/orion: registers this app's flows with the engine.
const isTold = await runRegister({ app: "orion", settings: RegisterConfig, environment: process.env });
if (!isTold) process.exitCode = 1;
