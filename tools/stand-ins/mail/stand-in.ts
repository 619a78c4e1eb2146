// A real SMTP server on this machine that keeps what it receives and can be told to refuse.
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

type ReceivedMail = {
  readonly from: string;
  readonly to: readonly string[];
  /** By their lower-case names, unfolded. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly plain: string;
  readonly html: string;
  readonly raw: string;
};

export type MailServer = {
  readonly url: string;
  readonly received: ReceivedMail[];
  /** The reply to the next recipients: accept, or an SMTP code. `silent` never answers. */
  answer: "accept" | "silent" | number;
  readonly close: () => Promise<void>;
};

function decode(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function readPart(raw: string): { headers: Map<string, string[]>; body: string } {
  const end = raw.indexOf("\r\n\r\n");
  const headers = new Map<string, string[]>();
  for (const line of raw
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n")) {
    const name = line.slice(0, line.indexOf(":")).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(line.indexOf(":") + 1).trim()]);
  }
  return { headers, body: raw.slice(end + 4) };
}

/** Reads a mail with one plain and one HTML part. */
function readMail(raw: string): Pick<ReceivedMail, "headers" | "plain" | "html" | "raw"> {
  const { headers, body } = readPart(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get("content-type")?.[0] ?? "")?.[1] ?? "";
  const parts = body
    .split(`--${boundary}`)
    .map((part) => readPart(part.replace(/^\r\n/, "")))
    .map((part) => ({
      type: part.headers.get("content-type")?.[0] ?? "",
      text: decode(part.body, part.headers.get("content-transfer-encoding")?.[0] ?? ""),
    }));
  const find = (type: string): string => parts.find((part) => part.type.startsWith(type))?.text ?? "";
  return { headers, plain: find("text/plain"), html: find("text/html"), raw };
}

const refusal = (code: number): Error => Object.assign(new Error("refused"), { responseCode: code });

export async function aMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ["STARTTLS"], logger: false },
    onRcptTo: (_address, _session, done) => {
      if (mails.answer === "accept") done();
      else if (mails.answer !== "silent") done(refusal(mails.answer));
    },
    onData: (stream, { envelope }, done) => {
      const keep = (raw: string): void => {
        const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), ...readMail(raw) });
        done();
      };
      // A sender that hangs up in between has sent nothing.
      text(stream).then(keep, () => undefined);
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  const mails: MailServer = {
    ...{ url: `smtp://127.0.0.1:${port}`, received, answer: "accept" },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
  return mails;
}
