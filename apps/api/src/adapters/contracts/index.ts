export { connectHomeChain, doesNodeAnswer, type ContractAddresses, type HomeChain } from "./contracts.ts";
