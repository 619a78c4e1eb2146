import { runRegister } from "@countersign/platform/engine";
import { RegisterConfig } from "./config.ts";

// npm run register -w apps/api: registers this app's flows with the engine.
const isTold = await runRegister({ app: "api", settings: RegisterConfig, environment: process.env });
if (!isTold) process.exitCode = 1;
