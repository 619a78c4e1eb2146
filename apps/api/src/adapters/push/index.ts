export { isBrowserKey, makePostPush, type PostPush, type PushKeys, type Subscription } from "./post-push.ts";
