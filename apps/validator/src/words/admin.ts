/** Requests about control itself: owners, roles, modules, upgrades, code delegation. Found by verb and noun together. */
import type { Span } from "../intent.ts";
import type { Group } from "./clauses.ts";

type Rule = { readonly kind: string; readonly verb: RegExp; readonly noun: RegExp };

const CODE =
  /\b7702\b|\ba smart (?:account|wallet)\b|\bmy (?:account|eoa|wallet)(?:'s)? (?:code|to)\b|\baccount code\b|\bset ?code\b|\bcode delegation\b|\bmy (?:eoa|account|wallet)\b.{0,60}\bdelegat|\bdelegat\w* my (?:eoa|account|wallet)\b|\bplain eoa\b|\bregular eoa\b|\bnormal eoa\b/;

const RULES: readonly Rule[] = [
  {
    kind: "revoke_delegation",
    verb: /\b(?:revok|clear|remov|undo|undelegat|cancel|reset|unset|delet|disabl|withdraw|drop|kill|stop|rescind|turn off|downgrad|wip|back to nothing|to nothing|get rid|zero out)/,
    noun: /\b7702\b|\bcode delegation\b|\bplain eoa\b|\bregular eoa\b|\bnormal eoa\b|\b(?:no longer|stop being) a smart account\b/,
  },
  {
    kind: "delegate_code",
    verb: /delegat|authori[sz]|set|upgrad|sign|turn|make|convert|enable|activate|point|use|install|want|need|switch|change|migrat/,
    noun: CODE,
  },
  { kind: "renounce_ownership", verb: /renounce|give up|renunci/, noun: /\bowner/ },
  { kind: "accept_ownership", verb: /accept/, noun: /\bownership\b/ },
  {
    kind: "transfer_ownership",
    verb: /transfer|hand|give|change|move|set|transfier|transfer|ubertrag|cede|assign|pass/,
    noun: /\bownership\b|\bpropiedad\b|\bpropriedade\b|\bpropriete\b|\beigentum\b|\bcontract owner\b|所有权/,
  },
  {
    kind: "transfer_ownership",
    verb: /make|appoint|name/,
    noun: /\bthe (?:new |sole )?owner of (?:our |the |my )?(?:contract|token|proxy|vault)\b/,
  },
  {
    kind: "remove_owner",
    verb: /remove|delete|kick|drop|elimin|quita|entfern|retir/,
    noun: /\b(?:owner|signer|cosigner|signatory)s?\b|\bfirmante\b/,
  },
  { kind: "swap_owner", verb: /swap|replace|rotate/, noun: /\b(?:owner|signer|cosigner|signatory)s?\b/ },
  {
    kind: "add_owner",
    verb: /add|make|appoint|set|include|anad|agrega|adicion|ajout|hinzu|fug/,
    noun: /\b(?:owner|signer|cosigner|signatory)s?\b|\bfirmante\b|\bpropietario\b/,
  },
  { kind: "set_owner", verb: /set|change|make|update/, noun: /\bowner\b/ },
  {
    kind: "revoke_role",
    verb: /revoke|remove|strip|take/,
    noun: /\brole\b|_role\b|\bminter\b|\badmin rights\b/,
  },
  {
    kind: "grant_role",
    verb: /grant|give|assign|add|make|set/,
    noun: /\brole\b|_role\b|\bminter\b|\badmin\b|\badministrator\b/,
  },
  { kind: "disable_module", verb: /disable|remove|uninstall/, noun: /\bmodule\b|\bplugin\b/ },
  { kind: "enable_module", verb: /enable|add|install|activate/, noun: /\bmodule\b|\bplugin\b/ },
  { kind: "set_guard", verb: /set|add|enable|install|change/, noun: /\bguard\b/ },
  { kind: "set_fallback_handler", verb: /set|change|add|update/, noun: /\bfallback handler\b/ },
  {
    kind: "change_threshold",
    verb: /change|set|raise|lower|update|increase|decrease|reduce/,
    noun: /\bthreshold\b|\bquorum\b/,
  },
  {
    kind: "upgrade",
    verb: /upgrade|set|change|update|point/,
    noun: /\bupgrade|\bimplementation\b|\bproxy\b|\bmaster ?copy\b|\bsingleton\b/,
  },
  { kind: "unpause", verb: /unpause|resume/, noun: /./ },
  { kind: "pause", verb: /^pause|pausing/, noun: /./ },
  { kind: "set_admin", verb: /set|change|make|transfer/, noun: /\badmin\b/ },
];

const verbsOf = (group: Group): string =>
  group.items
    .filter((item) => item.mark?.k === "verb")
    .map((item) => item.low)
    .join(" ");

/** The administrative act a group asks for, or null. Only the first words count: control is named early or not at all. */
export const adminOf = (group: Group): { readonly kind: string; readonly span: Span } | null => {
  const head = group.items.slice(0, 60);
  const verbs = verbsOf({ ...group, items: head });
  if (verbs === "" || group.verb === null) return null;
  const words = head.map((item) => item.low).join(" ");
  const rule = RULES.find((one) => one.verb.test(verbs) && one.noun.test(words));
  if (rule === undefined)
    return group.acts[0] === "admin" ? { kind: "other", span: [group.verb.start, group.verb.end] } : null;
  return { kind: rule.kind, span: [group.verb.start, group.verb.end] };
};
