import type { CallToolResult } from "@modelcontextprotocol/server";

type About = { readonly requestHash: string; readonly resourceUri: string };

/** A label for lists, made of the hash alone: user texts are data, never labels. */
export const nameOf = (requestHash: string): string => `transaction ${requestHash.slice(0, 10)}`;

/** The answer as data, the same as text for clients that support nothing else, and a link to the resource. */
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
