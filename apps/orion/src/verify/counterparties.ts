import type { Hex } from "@countersign/wire";
import type { ExecutedCall } from "../adapters/record/index.ts";

const most = 50;
const address = /^0x[0-9a-f]{40}$/;

/** The index of the recipient's word in transfer(address,uint256) and transferFrom(address,address,uint256). */
const recipientWords: ReadonlyMap<string, number> = new Map([
  ["0xa9059cbb", 0],
  ["0x23b872dd", 1],
]);

/** Returns the recipient: of a token transfer the one in the call, otherwise the called address. */
function recipientOf({ to, data }: ExecutedCall): string {
  const call = data.toLowerCase();
  const word = recipientWords.get(call.slice(0, 10));
  if (word === undefined) return to.toLowerCase();
  const start = 10 + word * 64;
  return `0x${call.slice(start + 24, start + 64)}`;
}

/** The recipients of the account's earlier payments, most recent first. */
export function counterpartiesOf(executed: readonly ExecutedCall[]): readonly Hex[] {
  const recipients = executed
    .map(recipientOf)
    .filter((recipient): recipient is Hex => address.test(recipient));
  return [...new Set(recipients)].slice(0, most);
}
