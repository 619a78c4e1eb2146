export { isPostable, makePostMessage, type Posted, type PostMessage } from "./post-message.ts";
