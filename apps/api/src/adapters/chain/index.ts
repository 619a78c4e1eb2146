export {
  makeChainReader,
  type Block,
  type ChainReader,
  type DirectedCall,
  type Header,
  type Receipt,
  type SentCall,
} from "./chain-reader.ts";
export { accountAbi, accountTopics, entryPointAbi, safeAbi } from "./account-abi.ts";
export { entryPoints, isEntryPoint } from "./entry-points.ts";
export { type MinedTransaction, type StateQuestion } from "./events.ts";
export { makeAgreedReader, type Differing } from "./agreed-reader.ts";
export { makeNode, type Node } from "./node.ts";
export { type Log } from "./run-call.ts";
export { makeChainSimulator, type ChainSimulator, type SimulatedCall, type Simulation } from "./simulate.ts";
export { type SendingTerms } from "./surroundings.ts";
