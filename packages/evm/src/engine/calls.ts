// The calls of a scene: one, or several of the same account.
import type { Hex } from "@countersign/wire";
import type { Call, FollowingCall } from "../witness.ts";

/** All calls in their order. */
export const callsOf = ({
  call,
  following,
}: {
  readonly call: Call;
  readonly following?: readonly FollowingCall[] | undefined;
}): readonly [FollowingCall, ...FollowingCall[]] => {
  const { to, value, data, gas } = call;
  return [{ to, value, data, gas }, ...(following ?? [])];
};

/** EIP-7702: code of an account that only names the code it delegates to. */
const delegation = "0xef0100";

/** Returns the address that the code of a delegated account names; null for any other code. */
export const delegateIn = (code: Hex): Hex | null =>
  code.startsWith(delegation) && code.length === 48 ? `0x${code.slice(delegation.length)}` : null;

/** Returns whether an account with this code sends its own transactions. Those of a contract, such as a Safe, are sent by others. */
export const sendsItself = (code: Hex): boolean => code === "0x" || delegateIn(code) !== null;
