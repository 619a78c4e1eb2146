import type { Hex } from "@countersign/wire";
import type { ExecutedCall } from "../adapters/record/index.ts";

const most = 50;
const address = /^0x[0-9a-f]{40}$/;

/** transfer(address,uint256) and transferFrom(address,address,uint256): whose word the recipient is in. */
const recipientWords: ReadonlyMap<string, number> = new Map([
  ["0xa9059cbb", 0],
  ["0x23b872dd", 1],
]);

/** Who got something: of a token transfer the one named in it, otherwise whoever was called. */
function recipientOf({ to, data }: ExecutedCall): string {
  const call = data.toLowerCase();
  const word = recipientWords.get(call.slice(0, 10));
  if (word === undefined) return to.toLowerCase();
  const start = 10 + word * 64;
  return `0x${call.slice(start + 24, start + 64)}`;
}

/** Whom the account has paid before, most recent first. */
export function counterpartiesOf(executed: readonly ExecutedCall[]): readonly Hex[] {
  const recipients = executed
    .map(recipientOf)
    .filter((recipient): recipient is Hex => address.test(recipient));
  return [...new Set(recipients)].slice(0, most);
}
