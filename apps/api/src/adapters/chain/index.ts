export {
  makeChainReader,
  type Block,
  type ChainReader,
  type DirectedCall,
  type Header,
  type Receipt,
  type SentCall,
} from "./chain-reader.ts";
export {
  makeChainSimulator,
  type ChainSimulator,
  type Log,
  type SimulatedCall,
  type Simulation,
} from "./simulate.ts";
