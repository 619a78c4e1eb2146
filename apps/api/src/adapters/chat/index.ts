export { makePostChat, type PostChat } from "./post-chat.ts";
