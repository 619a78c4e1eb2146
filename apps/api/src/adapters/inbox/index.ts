export { makeInbox, type Inbox, type InboxRecord } from "./inbox.ts";
