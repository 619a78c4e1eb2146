export { makeNudgeAuthenticator } from "./authenticate.ts";
export { nudgeRoutes } from "./routes.ts";
export { makeWaitingRoom, type Hint, type WaitingRoom } from "./waiting-room.ts";
