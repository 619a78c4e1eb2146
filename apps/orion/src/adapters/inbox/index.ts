export { makeInbox, type Block, type Inbox, type InboxEntry } from "./inbox.ts";
