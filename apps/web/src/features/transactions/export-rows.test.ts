import type { TransactionView } from "@countersign/sdk";
import { expect, test } from "vitest";
import { exportRow, toCsv, toJson } from "./export-rows.ts";

const transaction = {
  requestHash: "0x01",
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:03Z",
  escrowAddress: "0x03",
  phase: "READY",
  intentProvenance: "user-signed",
  status: "APPROVED",
  description: '=HYPERLINK("x"), "quoted"\nsecond line',
  chainId: 1,
  agent: "key:a",
  tx: { to: "0x02", value: "5", data: "0x" },
  approvals: {
    orion: [{ decision: "APPROVED", createdAt: "2026-01-01T00:00:01Z" }],
    user: [{ decision: "APPROVED", createdAt: "2026-01-01T00:00:02Z", type: "user" }],
    apiKey: [],
  },
} as unknown as TransactionView;
const row = exportRow(transaction, () => "Payables");

test("has who proposed, the verdict, and the owner's decision", () => {
  expect(row).toMatchObject({
    ...{ agent: "Payables", value: "5", verdict: "APPROVED" },
    ...{ ownerDecision: "APPROVED", ownerDecidedAt: "2026-01-01T00:00:02Z", ownerSigned: "true" },
  });
});

test("quotes CSV cells, and keeps a spreadsheet from running them", () => {
  const text = toCsv([row]);
  expect(text).toContain('"\'=HYPERLINK(""x""), ""quoted""\nsecond line"');
  expect(text.split("\r\n")[0]).toMatch(/^requestHash,createdAt,/);
});

test("keeps the text unchanged in JSON", () => {
  expect(JSON.parse(toJson([row]))).toEqual([row]);
});
