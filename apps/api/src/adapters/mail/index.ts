export { makeSendMail, type SendMail } from "./send-mail.ts";
