// Writes mails. Every text is escaped in HTML, also our own.
import type { Notice } from "./notice.ts";

export type Letter = { readonly subject: string; readonly text: string; readonly html: string };

const entities: Readonly<Record<string, string>> = {
  ...{ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" },
};

const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");

const pageStyle =
  "font:16px/1.5 system-ui,sans-serif;color:#16181d;max-width:560px;margin:0 auto;padding:24px";
const buttonStyle =
  "display:inline-block;padding:12px 20px;background:#1c4fd8;color:#ffffff;border-radius:8px;text-decoration:none";

const paragraph = (text: string): string => `<p style="margin:0 0 12px">${escapeHtml(text)}</p>`;

const pageOf = (title: string, body: readonly string[]): string =>
  [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<title>${escapeHtml(title)}</title></head><body style="${pageStyle}">`,
    `<h1 style="font-size:20px;margin:0 0 16px">${escapeHtml(title)}</h1>`,
    ...body,
    "</body></html>",
  ].join("\n");

const buttonOf = (url: string, text: string): string =>
  `<p style="margin:20px 0"><a href="${escapeHtml(url)}" style="${buttonStyle}">${escapeHtml(text)}</a></p>`;

const button = "Open in Countersign";
const footer =
  "This mail cannot decide anything: the page asks you to sign in. Change or stop these mails in Settings, Notifications.";

/** The agent's name is quoted, and is not in the subject. */
export function letterOf({ title, lines, agentName, url }: Notice): Letter {
  const facts = [...lines, ...(agentName === null ? [] : [`Agent: “${agentName}”`])];
  const [first] = lines;
  return {
    subject: first === undefined ? title : `${title}: ${first}`,
    text: [title, "", ...facts, "", `${button}: ${url}`, "", footer, ""].join("\n"),
    html: pageOf(title, [...facts.map(paragraph), buttonOf(url, button), paragraph(footer)]),
  };
}

/** Contains nothing that the account's owner chose: anyone could enter someone else's address. */
export function codeLetter(code: string): Letter {
  const title = "Confirm your e-mail address";
  const facts = [
    `Your code is ${code}. It is valid for one hour.`,
    "Enter it in Countersign under Settings, Notifications, to be told about your transactions at this address.",
    "If you did not ask for it, ignore this mail. You will receive nothing else.",
  ];
  return {
    subject: title,
    text: [title, "", ...facts, ""].join("\n"),
    html: pageOf(title, facts.map(paragraph)),
  };
}
