export { startBearerProxy } from "./bearer-proxy.ts";
export { makeBrowser, type Browser } from "./browser.ts";
export { findAddress, runAuthorization, runScenario } from "./conformance.ts";
export { findSurprises, readExpectedFailures, wires, type Wire } from "./judge.ts";
export { makeKeeper } from "./keeper.ts";
export { answerDocs, mayDoWithoutPrograms, programFile } from "./programs.ts";
export { getToken, registerClient } from "./register-client.ts";
export { startInteropApi, type InteropApi } from "./start-api.ts";
