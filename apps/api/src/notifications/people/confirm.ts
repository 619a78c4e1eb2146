// Confirms that an e-mail address is the owner's, with a code that is sent to it.
import { createHash, randomInt } from "node:crypto";
import { newId } from "@countersign/platform/ids";
import type { SendMail } from "../../adapters/mail/index.ts";
import type { Channel, ChannelKey } from "../channel.ts";
import { channelErrors } from "../errors.ts";
import type { ConfirmationStore } from "../store/confirmation.ts";
import type { ChannelStore } from "../store/channels.ts";
import { codeLetter } from "./mail.ts";

type Parts = {
  readonly channels: Pick<ChannelStore, "find">;
  readonly confirmation: ConfirmationStore;
  readonly sendMail: SendMail | undefined;
  /** The right side of message ids. */
  readonly mailHost: string;
};

const codeDigits = 8;

const makeCode = (): string => String(randomInt(10 ** codeDigits)).padStart(codeDigits, "0");

const hashOf = ({ id }: ChannelKey, code: string): Buffer =>
  createHash("sha256").update(`${id}:${code}`).digest();

/** Throws unless messages may be sent to the channel. */
export function requireConfirmed({ confirmedAt }: Channel): void {
  if (confirmedAt === null) throw channelErrors.notConfirmed();
}

/** Mails a new code. An earlier one is no longer valid. */
export const makeSendCode = ({ channels, confirmation, sendMail, mailHost }: Parts) =>
  async function sendCode(key: ChannelKey): Promise<Channel> {
    const channel = await channels.find(key);
    if (channel === undefined) throw channelErrors.notFound();
    if (channel.confirmedAt !== null) throw channelErrors.alreadyConfirmed();
    if (sendMail === undefined) throw channelErrors.mailUnavailable();
    const code = makeCode();
    const isStored = await confirmation.setCode(key, channel.target, hashOf(key, code));
    if (!isStored) throw channelErrors.tooManyCodes();
    const messageId = `code_${newId()}@${mailHost}`;
    const { error } = await sendMail({ to: channel.target, messageId, ...codeLetter(code) });
    if (error !== null) throw channelErrors.mailFailed();
    return channel;
  };

/** Confirms the address if the code is right. */
export const makeConfirm = ({ channels, confirmation }: Pick<Parts, "channels" | "confirmation">) =>
  async function confirm(key: ChannelKey, code: string): Promise<Channel> {
    const channel = await channels.find(key);
    if (channel === undefined) throw channelErrors.notFound();
    if (channel.confirmedAt !== null) throw channelErrors.alreadyConfirmed();
    const outcome = await confirmation.tryCode(key, hashOf(key, code));
    if (outcome === "wrong") throw channelErrors.wrongCode();
    if (outcome === "expired") throw channelErrors.codeExpired();
    const confirmed = await channels.find(key);
    if (confirmed === undefined) throw channelErrors.notFound();
    return confirmed;
  };
