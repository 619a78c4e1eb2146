import { expect, test } from "vitest";
import { aContent, aWord } from "../../test/proposals.ts";
import { makeWaitingRoom } from "./waiting-room.ts";

function aRoom() {
  let now = 0;
  const room = makeWaitingRoom({ now: () => new Date(now) });
  return {
    room,
    wait: (ms: number) => {
      now += ms;
    },
  };
}

test("keeps a nudge's content until it is taken", () => {
  const { room } = aRoom();
  const [requestHash, unsealed] = [aWord(), aContent()];
  room.put({ requestHash, unsealed });
  expect(room.find(requestHash)).toMatchObject({ unsealed });
  room.remove(requestHash);
  expect(room.find(requestHash)).toBeUndefined();
});
test("a nudge with only a hash removes nothing", () => {
  const { room } = aRoom();
  const [requestHash, unsealed] = [aWord(), aContent()];
  room.put({ requestHash, unsealed });
  room.put({ requestHash });
  expect(room.find(requestHash)).toMatchObject({ unsealed });
});
test("drops it after a quarter of an hour", () => {
  const { room, wait } = aRoom();
  const requestHash = aWord();
  room.put({ requestHash, unsealed: aContent() });
  wait(15 * 60 * 1000);
  expect(room.find(requestHash)).toBeUndefined();
});
test("when full, drops those that were nudged longest ago", () => {
  const { room } = aRoom();
  const hashes = Array.from({ length: 1_100 }, aWord);
  for (const requestHash of hashes) room.put({ requestHash, unsealed: aContent() });
  expect(hashes.filter((hash) => room.find(hash) !== undefined)).toEqual(hashes.slice(-1_024));
});
