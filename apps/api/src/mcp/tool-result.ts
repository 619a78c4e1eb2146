import type { CallToolResult } from "@modelcontextprotocol/server";

type About = { readonly requestHash: string; readonly resourceUri: string };

/** A name for lists, made of the hash alone: what somebody wrote is data, and never a label. */
export const nameOf = (requestHash: string): string => `transaction ${requestHash.slice(0, 10)}`;

/** The answer as data, the same as text for clients that know no other, and where to read on. */
export const answerWith = (answer: About): CallToolResult => ({
  structuredContent: { ...answer },
  content: [
    { type: "text", text: JSON.stringify(answer) },
    {
      type: "resource_link",
      uri: answer.resourceUri,
      name: nameOf(answer.requestHash),
      mimeType: "application/json",
    },
  ],
});
