export { readBlocks, type Block } from "./blocks.ts";
export { makeNodes, NodesDisagree, type Nodes } from "./nodes.ts";
export { makeRpc, NodeFailed, type Rpc } from "./rpc.ts";
export { readAccounts, readTouched, type NodeCall, type Wanted } from "./state.ts";
