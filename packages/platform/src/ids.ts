import { v7 } from "uuid";

/** A UUIDv7: ordered by time, so that rows inserted together lie together in an index. */
export const newId = (): string => v7();

/** As we write them, in small letters: others are no id of ours, and a database that is asked for one would complain. */
export const isId = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
