export { isPublicAddress } from "./is-public-address.ts";
export {
  AddressNotPublicError,
  askNameServers,
  checkHost,
  makePublicAgent,
  type PublicAgentOptions,
  type Resolve,
} from "./public-agent.ts";
