export { makeInbox, type Inbox, type Standing } from "./inbox.ts";
