import { expect, test } from "vitest";
import type { Queued } from "./channel.ts";
import { isTimeZone, planOf, type Preferences } from "./schedule.ts";

const none: Preferences = { quietFrom: null, quietUntil: null, timeZone: "Europe/Zurich", digest: null };
const nights: Preferences = { ...none, quietFrom: 22 * 60, quietUntil: 7 * 60 };
const hourly: Preferences = { ...none, digest: "hourly" };
const daily: Preferences = { ...none, digest: "daily" };

let count = 0;
const aMessage = (createdAt: string, more: Partial<Queued> = {}): Queued => ({
  ...{ id: `m${++count}`, attempts: 0, event: null },
  type: "transaction.executed",
  ...{ createdAt: new Date(createdAt), position: String(count), mergedInto: null, deadline: null },
  ...more,
});
/** The ids of the messages in each batch, or the time to wait for. */
function plan(preferences: Preferences, now: string, messages: readonly Queued[]) {
  const [first, ...others] = messages;
  if (first === undefined) throw new Error("no messages");
  const made = planOf(preferences, [first, ...others], new Date(now));
  return "waitUntil" in made
    ? made.waitUntil.toISOString()
    : made.batches.map((batch) => batch.map((message) => messages.indexOf(message)));
}

test("without preferences, sends each message alone and at once", () => {
  const messages = [aMessage("2026-11-18T02:00:00Z"), aMessage("2026-11-18T02:00:01Z")];
  expect(plan(none, "2026-11-18T02:00:02Z", messages)).toEqual([[0], [1]]);
});

// In November, Zurich is an hour ahead of UTC.
test.each([
  ["2026-11-18T20:59:59Z", [[0]]],
  ["2026-11-18T21:00:00Z", "2026-11-19T06:00:00.000Z"],
  ["2026-11-19T00:30:40Z", "2026-11-19T06:00:00.000Z"],
  ["2026-11-19T05:59:59Z", "2026-11-19T06:00:00.000Z"],
  ["2026-11-19T06:00:00Z", [[0]]],
])("in quiet hours from 22:00 to 07:00, at %s: %j", (now, expected) => {
  expect(plan(nights, now, [aMessage("2026-11-18T20:00:00Z")])).toEqual(expected);
});

test("quiet hours within a day", () => {
  const lunch: Preferences = { ...none, quietFrom: 12 * 60, quietUntil: 13 * 60, timeZone: "UTC" };
  const messages = [aMessage("2026-11-18T11:00:00Z")];
  expect(plan(lunch, "2026-11-18T12:30:00Z", messages)).toBe("2026-11-18T13:00:00.000Z");
  expect(plan(lunch, "2026-11-18T11:59:00Z", messages)).toEqual([[0]]);
  expect(plan(lunch, "2026-11-18T13:00:00Z", messages)).toEqual([[0]]);
});

test.each([
  ["spring", "2026-03-28T23:30:00Z", "2026-03-29T05:00:00.000Z"],
  ["autumn", "2026-10-24T23:30:00Z", "2026-10-25T06:00:00.000Z"],
])("quiet hours end at 07:00 local time when clocks change in %s", (_, now, end) => {
  expect(plan(nights, now, [aMessage(now)])).toBe(end);
});

test("after quiet hours, sends everything that waited as one", () => {
  const messages = [aMessage("2026-11-18T22:00:00Z"), aMessage("2026-11-19T03:00:00Z")];
  expect(plan(nights, "2026-11-19T06:00:00Z", messages)).toEqual([[0, 1]]);
});

test("an alert is sent in quiet hours, with those before it and none after it", () => {
  const messages = [
    aMessage("2026-11-18T22:00:00Z"),
    aMessage("2026-11-18T23:00:00Z", { type: "transaction.alert" }),
    aMessage("2026-11-18T23:00:01Z"),
  ];
  expect(plan(nights, "2026-11-18T23:00:02Z", messages)).toEqual([[0, 1]]);
});

test.each([
  ["expires in the night", "2026-11-19T02:00:00Z", [[0]]],
  ["expires less than an hour after the quiet hours", "2026-11-19T06:59:00Z", [[0]]],
  ["can wait", "2026-11-19T07:00:00Z", "2026-11-19T06:00:00.000Z"],
])("a decision that %s", (_, deadline, expected) => {
  const message = aMessage("2026-11-18T23:00:00Z", {
    ...{ type: "transaction.needs_decision", deadline: new Date(deadline) },
  });
  expect(plan(nights, "2026-11-18T23:00:00Z", [message])).toEqual(expected);
});

test("another change of a transaction that expires soon is not urgent", () => {
  const deadline = new Date("2026-11-19T02:00:00Z");
  const message = aMessage("2026-11-18T23:00:00Z", { type: "transaction.approved", deadline });
  expect(plan(nights, "2026-11-18T23:00:00Z", [message])).toBe("2026-11-19T06:00:00.000Z");
});

test("an hourly digest waits for the full hour after the first message", () => {
  const messages = [aMessage("2026-11-18T10:05:30Z"), aMessage("2026-11-18T10:59:00Z")];
  expect(plan(hourly, "2026-11-18T10:59:10Z", messages)).toBe("2026-11-18T11:00:00.000Z");
  expect(plan(hourly, "2026-11-18T11:00:00Z", messages)).toEqual([[0, 1]]);
});

test("a digest leaves messages of the next period for the next one", () => {
  const messages = [aMessage("2026-11-18T10:59:00Z"), aMessage("2026-11-18T11:00:10Z")];
  expect(plan(hourly, "2026-11-18T11:00:20Z", messages)).toEqual([[0]]);
});

test("a full hour is that of the time zone", () => {
  const india: Preferences = { ...hourly, timeZone: "Asia/Kolkata" };
  expect(plan(india, "2026-11-18T10:05:00Z", [aMessage("2026-11-18T10:05:00Z")])).toBe(
    "2026-11-18T10:30:00.000Z",
  );
});

test("a daily digest is sent at 08:00 local time", () => {
  expect(plan(daily, "2026-11-18T10:00:00Z", [aMessage("2026-11-18T10:00:00Z")])).toBe(
    "2026-11-19T07:00:00.000Z",
  );
  expect(plan(daily, "2026-11-19T06:59:00Z", [aMessage("2026-11-19T06:58:00Z")])).toBe(
    "2026-11-19T07:00:00.000Z",
  );
});

test("a digest that would be sent in quiet hours waits for their end", () => {
  const both: Preferences = { ...hourly, quietFrom: 22 * 60, quietUntil: 7 * 60 };
  expect(plan(both, "2026-11-18T20:30:00Z", [aMessage("2026-11-18T20:30:00Z")])).toBe(
    "2026-11-19T06:00:00.000Z",
  );
});

test("an alert ends the wait of a digest", () => {
  const messages = [
    aMessage("2026-11-18T10:05:00Z"),
    aMessage("2026-11-18T10:06:00Z", { type: "transaction.alert" }),
  ];
  expect(plan(daily, "2026-11-18T10:06:01Z", messages)).toEqual([[0, 1]]);
});

test("a retry sends the same messages as the first attempt", () => {
  const messages = [
    aMessage("2026-11-18T10:05:00Z", { mergedInto: "a" }),
    aMessage("2026-11-18T10:06:00Z", { mergedInto: "a" }),
    aMessage("2026-11-18T10:07:00Z"),
  ];
  expect(plan(hourly, "2026-11-18T12:00:00Z", messages)).toEqual([[0, 1]]);
});

test("a retry waits for the end of quiet hours, unless something behind it is urgent", () => {
  const messages = [
    aMessage("2026-11-18T20:05:00Z", { mergedInto: "a" }),
    aMessage("2026-11-18T20:06:00Z", { mergedInto: "a" }),
  ];
  expect(plan(nights, "2026-11-18T22:00:00Z", messages)).toBe("2026-11-19T06:00:00.000Z");
  messages.push(aMessage("2026-11-18T22:00:00Z", { type: "transaction.alert" }));
  expect(plan(nights, "2026-11-18T22:00:00Z", messages)).toEqual([[0, 1]]);
});

test.each([
  ["Europe/Zurich", true],
  ["UTC", true],
  ["Mars/Olympus", false],
  ["", false],
])("%j is a time zone: %s", (name, expected) => {
  expect(isTimeZone(name)).toBe(expected);
});
