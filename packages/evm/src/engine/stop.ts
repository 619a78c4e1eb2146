import type { Hex } from "@countersign/wire";

/** The run read state that the witness does not contain. It never counts as empty. */
export class MissingState extends Error {
  override readonly name = "MissingState";
  readonly address: Hex;
  /** Null: the account itself. */
  readonly slot: Hex | null;
  constructor(address: Hex, slot: Hex | null) {
    super(`the witness does not contain ${slot === null ? address : `slot ${slot} of ${address}`}`);
    this.address = address;
    this.slot = slot;
  }
}

/** The run read the hash of a block that the witness does not prove. */
export class MissingBlockHash extends Error {
  override readonly name = "MissingBlockHash";
  readonly number: bigint;
  constructor(number: bigint) {
    super(`the witness does not prove the hash of block ${number.toString()}`);
    this.number = number;
  }
}

/** The run exceeded a limit of ours, not of the chain. It has no result. */
export class LimitExceeded extends Error {
  override readonly name = "LimitExceeded";
}

/** The transaction cannot be in a block: its sender cannot pay for it, has code, or gives too little gas. */
export class NotExecutable extends Error {
  override readonly name = "NotExecutable";
}
