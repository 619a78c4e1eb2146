// Writes a notice in the form of a chat service. Text of an agent never becomes markup, a link or a mention.
import type { Notice } from "./notice.ts";

const openText = "Open it to read more and to decide";

/** The three characters with a meaning in Slack's markup. */
const escapeSlack = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Agent names are plain text, which Slack neither formats nor links. */
export function slackBody({ id, title, lines, agentName, url }: Notice): string {
  const agent =
    agentName === null
      ? []
      : [{ type: "context", elements: [{ type: "plain_text", text: `Agent: ${agentName}`, emoji: false }] }];
  const text = [`*${escapeSlack(title)}*`, ...lines.map(escapeSlack)].join("\n");
  return JSON.stringify({
    text: escapeSlack([title, ...lines].join(". ")),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      { type: "section", block_id: id, text: { type: "mrkdwn", text, verbatim: true } },
      ...agent,
      {
        type: "section",
        text: { type: "mrkdwn", text: `<${escapeSlack(url)}|${openText}>`, verbatim: true },
      },
    ],
  });
}

/** Inline code has no markup and no links. A backtick would end it. */
const asCode = (text: string): string => `\`${text.replaceAll("`", "'")}\``;

export const discordBody = ({ title, lines, agentName, url }: Notice): string =>
  JSON.stringify({
    allowed_mentions: { parse: [] },
    embeds: [
      {
        ...{ title, url, description: [...lines, "", `[${openText}](${url})`].join("\n") },
        ...(agentName === null ? {} : { fields: [{ name: "Agent", value: asCode(agentName) }] }),
      },
    ],
  });

/** Without a parse mode, Telegram shows the text as it is. The entities mark the title and the agent's name. */
export function telegramBody({ title, lines, agentName, url }: Notice, chatId: string): string {
  const before = [title, ...lines].join("\n");
  const agent = agentName === null ? "" : `\nAgent: ${agentName}`;
  const named =
    agentName === null
      ? []
      : [{ type: "code", offset: before.length + "\nAgent: ".length, length: agentName.length }];
  return JSON.stringify({
    chat_id: chatId,
    text: `${before}${agent}\n\n${openText}: ${url}`,
    entities: [{ type: "bold", offset: 0, length: title.length }, ...named],
    link_preview_options: { is_disabled: true },
  });
}
