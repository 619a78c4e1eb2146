// Takes the user's request out of a call, so that the server gets exactly its own arguments.
import { requestArgument } from "./guard-tools.ts";
import { membersOf, type Message } from "./message.ts";

type Found = { readonly words: string; readonly message: Message } | { readonly problem: string };

export function readRequest(message: Message): Found {
  const params = membersOf(message["params"]);
  const { [requestArgument]: words, ...others } = membersOf(params["arguments"]);
  if (params["task"] !== undefined)
    return { problem: "Nothing was sent. This tool cannot be called as a task: call it without one." };
  if (typeof words !== "string" || words.trim() === "")
    return {
      problem: `Nothing was sent. The argument ${requestArgument} is missing: the user's request, word for word, as the user typed it.`,
    };
  return { words, message: { ...message, params: { ...params, arguments: others } } };
}
