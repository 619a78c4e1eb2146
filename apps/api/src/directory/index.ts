export { rememberServices } from "./store/remember-services.ts";
export { makeServiceStore, type ServiceStore } from "./store/services.ts";
