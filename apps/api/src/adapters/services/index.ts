export { makeServiceRegistry, type ServiceRegistry } from "./service-registry.ts";
