// Which values of its surroundings a run reads, and the points at which a run can be stopped. Handlers of the engine are
// wrapped one by one: a listener for every step takes twice the time. The map is private to the engine, so its version is
// pinned, and a test notices if it changes.
import type { EVM } from "@ethereumjs/evm";
import type { Hex } from "@countersign/wire";
import { LimitExceeded } from "./stop.ts";

const surroundings = {
  BALANCE: 0x31,
  ORIGIN: 0x32,
  GASPRICE: 0x3a,
  BLOCKHASH: 0x40,
  COINBASE: 0x41,
  TIMESTAMP: 0x42,
  NUMBER: 0x43,
  PREVRANDAO: 0x44,
  GASLIMIT: 0x45,
  SELFBALANCE: 0x47,
  BASEFEE: 0x48,
  BLOBBASEFEE: 0x4a,
  GAS: 0x5a,
} as const;

export type Surrounding = keyof typeof surroundings;

/** JUMP, JUMPI, CREATE, CALL, CALLCODE, DELEGATECALL, CREATE2, STATICCALL: code that never runs one of them ends soon. */
const turns = [0x56, 0x57, 0xf0, 0xf1, 0xf2, 0xf4, 0xf5, 0xfa];

type RunState = { readonly env: { readonly codeAddress: { readonly toString: () => string } } };
type Handler = (state: RunState, common: unknown) => unknown;
type Entry = { readonly opHandler: Handler };

export type Watch = {
  /** Called with the value that is read and the address of the code that reads it. */
  readonly onRead?: ((what: Surrounding, by: Hex) => void) | undefined;
  /** Called at every turn. Throws to stop the run. */
  readonly onTurn?: (() => void) | undefined;
};

export function watchOpcodes(evm: EVM, { onRead, onTurn }: Watch): void {
  const map = (evm as unknown as { readonly _opcodeMap: Entry[] | undefined })._opcodeMap;
  if (map === undefined) throw new Error("the engine has no table of opcodes");
  const wrap = (code: number, before: Handler): void => {
    const entry = map[code];
    if (entry === undefined) throw new Error(`the engine has no opcode ${code}`);
    const { opHandler } = entry;
    map[code] = {
      ...entry,
      opHandler: (state, common) => {
        before(state, common);
        return opHandler(state, common);
      },
    };
  };
  if (onRead !== undefined)
    for (const [name, code] of Object.entries(surroundings) as [Surrounding, number][])
      wrap(code, ({ env }) => {
        onRead(name, env.codeAddress.toString() as Hex);
      });
  if (onTurn !== undefined) for (const code of turns) wrap(code, onTurn);
}

/** Returns a counter that stops the run after that many turns. */
export function countTurns(most: number): () => void {
  let turns = 0;
  return () => {
    turns += 1;
    if (turns > most) throw new LimitExceeded(`more than ${most} jumps and calls`);
  };
}
