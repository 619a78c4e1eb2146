import { v7 } from "uuid";

/** A UUIDv7: ordered by time, so that rows inserted together lie together in an index. */
export const newId = (): string => v7();
