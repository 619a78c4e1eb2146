export { newestGroup } from "./newest-group.ts";
export { nodeTransport } from "./node-transport.ts";
export { nodePairs, nodeUrls, type NodeUrls } from "./settings.ts";
