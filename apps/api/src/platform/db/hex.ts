import { sql, type RawBuilder } from "kysely";

/** Hashes, addresses and calldata are hex outside the database and bytes inside it. */
export type Hex = `0x${string}`;

export const bytesOf = (hex: Hex): Buffer => Buffer.from(hex.slice(2), "hex");

/** Selects a bytea column as hex; null stays null. */
export const asHex = (column: string): RawBuilder<Hex | null> =>
  sql<Hex | null>`'0x' || encode(${sql.ref(column)}, 'hex')`;
