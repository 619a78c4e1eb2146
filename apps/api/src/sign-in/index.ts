export { type JwtCaller } from "./authenticate.ts";
export { jwt } from "./routes.ts";
