export { makeInbox, type Block, type Inbox, type InboxEntry, type RecordedRoot } from "./inbox.ts";
