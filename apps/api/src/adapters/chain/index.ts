export {
  makeChainReader,
  type Block,
  type ChainReader,
  type Header,
  type Receipt,
  type SentCall,
} from "./chain-reader.ts";
