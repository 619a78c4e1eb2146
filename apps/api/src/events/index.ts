export { isCursor, type AccountEvent, type Cursor } from "./event.ts";
export { makeKeepAlive, type KeepAlive } from "./keep-alive.ts";
export { end as endStream, push as pushTo } from "./push.ts";
export { makeEventStore } from "./store.ts";
export { makeFollowAccount, type FollowAccount } from "./stream.ts";
export { makeTail, type Tail } from "./tail.ts";
export { makeWaitForChange, type WaitForChange } from "./wait-for-change.ts";
