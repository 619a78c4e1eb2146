import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { aMailServer, type MailServer } from "../../../../../tools/stand-ins/mail/stand-in.ts";
import { makeSendMail } from "./send-mail.ts";

let server: MailServer;
beforeAll(async () => {
  server = await aMailServer();
});
afterAll(async () => {
  await server.close();
});
beforeEach(() => {
  server.received.length = 0;
  server.answer = "accept";
});

const from = "Countersign <notify@app.example>";
const mail = {
  ...{ to: "alice@example.org", messageId: "msg_1@app.example", subject: "Needs your decision" },
  ...{ text: "plain “text”", html: "<p>html</p>" },
};
const send = (more: object = {}) =>
  makeSendMail({ smtpUrl: server.url, from, timeoutMs: 1000 })({ ...mail, ...more });

test("sends plain text and HTML under the given id", async () => {
  expect(await send({ thread: "0xab@app.example" })).toEqual({
    ...{ status: 250, error: null, durationMs: expect.any(Number) as number },
  });
  const [received] = server.received;
  expect(received).toMatchObject({ from: "notify@app.example", to: ["alice@example.org"] });
  expect([received?.plain.trim(), received?.html.trim()]).toEqual(["plain “text”", "<p>html</p>"]);
  expect(received?.headers.get("message-id")).toEqual(["<msg_1@app.example>"]);
  expect(received?.headers.get("references")).toEqual(["<0xab@app.example>"]);
  expect(received?.headers.get("auto-submitted")).toEqual(["auto-generated"]);
});

test.each([
  "\r\nBcc: eve@evil.example",
  "\nX-Injected: 1\n\nbody",
  "\u0000\r\n.\r\nMAIL FROM:<eve@evil.example>",
])("starts no header and no command with a line break in the subject: %j", async (attack) => {
  expect(await send({ subject: `a${attack}` })).toMatchObject({ error: null });
  expect(server.received).toHaveLength(1);
  const [received] = server.received;
  expect(received?.to).toEqual(["alice@example.org"]);
  expect([received?.headers.has("bcc"), received?.headers.has("x-injected")]).toEqual([false, false]);
  expect(received?.plain.trim()).toBe("plain “text”");
});

test.each(["alice@example.org, eve@evil.example", "alice@example.org\r\nRCPT TO:<eve@evil.example>"])(
  "never sends to a second address: %j",
  async (to) => {
    await send({ to });
    expect(server.received.flatMap((received) => received.to)).not.toContain("eve@evil.example");
  },
);

test("reads no file that a mail names", async () => {
  const text = { path: "/etc/passwd" } as unknown as string;
  expect(await send({ text })).toMatchObject({ status: null });
  expect(server.received).toEqual([]);
});

test("reports the server's reply code and none of its text", async () => {
  server.answer = 550;
  expect(await send()).toMatchObject({ status: 550, error: "Answered 550" });
  server.answer = 451;
  expect(await send()).toMatchObject({ status: 451, error: "Answered 451" });
});

test("gives up on a server that does not answer, or is not there", async () => {
  server.answer = "silent";
  expect(await send()).toMatchObject({ status: null, error: "No answer in time" });
  const nowhere = makeSendMail({ smtpUrl: "smtp://user:secret@127.0.0.1:9", from, timeoutMs: 1000 });
  expect(await nowhere(mail)).toMatchObject({
    ...{ status: null, error: "The connection to the mail server failed" },
  });
});

test("explains refused credentials without repeating them", async () => {
  const url = server.url.replace("smtp://", "smtp://user:secret@");
  const answer = await makeSendMail({ smtpUrl: url, from, timeoutMs: 1000 })(mail);
  expect(answer.error).not.toBeNull();
  expect(JSON.stringify(answer)).not.toContain("secret");
});
