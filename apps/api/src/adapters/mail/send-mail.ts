// Sends mail through the operator's SMTP server.
import { createTransport } from "nodemailer";
import type { Posted } from "../webhooks/index.ts";

type Mail = {
  /** One address, already checked. */
  readonly to: string;
  /** Identifies the mail: the same for every attempt. Without angle brackets. */
  readonly messageId: string;
  /** Groups the mails about one thing. */
  readonly thread?: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

/** Sends one mail once and reports the result. The status is the SMTP server's reply code. */
export type SendMail = (mail: Mail) => Promise<Posted>;

type Options = { readonly smtpUrl: string; readonly from: string; readonly timeoutMs: number };

const replyCodeOf = (error: unknown): number | null =>
  error instanceof Error && "responseCode" in error && typeof error.responseCode === "number"
    ? error.responseCode
    : null;

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : "");

/** Explains a failed attempt in one of our own sentences: a server's text may contain its settings. */
function explain(error: unknown): string {
  const status = replyCodeOf(error);
  if (codeOf(error) === "EAUTH") return "The mail server did not accept the operator's credentials";
  if (status !== null) return `Answered ${status}`;
  return codeOf(error) === "ETIMEDOUT" ? "No answer in time" : "The connection to the mail server failed";
}

class TimedOut extends Error {
  readonly code = "ETIMEDOUT";
}

/** Bounds the whole attempt: the timeouts of the connection are for each of its steps. */
async function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new TimedOut("no answer in time"));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, end]);
  } finally {
    clearTimeout(timer);
  }
}

export function makeSendMail({ smtpUrl, from, timeoutMs }: Options): SendMail {
  const transport = createTransport(
    {
      url: smtpUrl,
      ...{ connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
      // Nothing in a mail may make the service read files or URLs.
      ...{ disableFileAccess: true, disableUrlAccess: true },
    },
    { from },
  );
  return async ({ to, messageId, thread, subject, text, html }) => {
    const start = performance.now();
    const durationMs = (): number => Math.round(performance.now() - start);
    try {
      const sending = transport.sendMail({
        ...{ to: { name: "", address: to }, messageId: `<${messageId}>`, subject, text, html },
        ...(thread === undefined ? {} : { references: `<${thread}>` }),
        // Keeps holiday notices and mailing lists from answering.
        headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      });
      // It may still fail after the end of the attempt.
      sending.catch(() => undefined);
      await within(timeoutMs, sending);
      return { status: 250, error: null, durationMs: durationMs() };
    } catch (error) {
      return { status: replyCodeOf(error), error: explain(error), durationMs: durationMs() };
    }
  };
}
