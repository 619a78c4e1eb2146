export { makeEnclave, type Enclave } from "./enclave.ts";
