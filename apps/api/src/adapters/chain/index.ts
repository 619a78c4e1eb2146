export {
  makeChainReader,
  type Block,
  type ChainReader,
  type DirectedCall,
  type Header,
  type Receipt,
  type SentCall,
} from "./chain-reader.ts";
export { makeNode, type Node } from "./node.ts";
export { type Log } from "./run-call.ts";
export { makeChainSimulator, type ChainSimulator, type SimulatedCall, type Simulation } from "./simulate.ts";
export { type SendingTerms } from "./surroundings.ts";
