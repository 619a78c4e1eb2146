/** German. */
import { makeGrammar, type Verb } from "../grammar.ts";

const list = (words: string): readonly string[] => words.split(",").map((word) => word.trim());

/** "schick", "schick ihr", "schick es ihm", "schick mal". */
const TAILS = [
  "ihm",
  "ihr",
  "ihnen",
  "es",
  "sie",
  "ihn",
  "sie ihm",
  "sie ihr",
  "es ihm",
  "es ihr",
  "das",
  "mir",
  "mal",
  "doch",
  "ihm mal",
  "ihr mal",
  "ihm doch",
  "ihr doch",
];
const withTails = (imperatives: string): string =>
  list(imperatives)
    .flatMap((verb) => [verb, ...TAILS.map((tail) => `${verb} ${tail}`)])
    .join(", ");
const formal = (infinitives: string): string =>
  list(infinitives)
    .flatMap((verb) => [
      `${verb} sie`,
      `${verb} sie ihm`,
      `${verb} sie ihr`,
      `${verb} sie ihnen`,
      `${verb} wir`,
    ])
    .join(", ");

/** The infinitive that ends its clause: "bitte … überweisen", "ich möchte … umtauschen". */
const last: Readonly<Record<Verb, string>> = {
  pay: "schicken, senden, uberweisen, zahlen, bezahlen, auszahlen, einzahlen, zuruckzahlen, begleichen, ubertragen, transferieren, spenden, schenken, gebenschicken, losschicken, abschicken, verschicken, rubersenden, ruberschicken, zusenden, zuschicken, zukommen, erstatten, zuruckerstatten, zurucksenden, zuruckschicken, zuruckgeben, zuruckuberweisen, anweisen, weiterleiten, verschiebengeben, uberweissen, auszuzahlen, zuruckzuzahlen, zuruckzusenden, zuruckzuschicken, zuruckzugebenzuschicken, weiterzuleiten, zuruckzuerstatten, anzuweisen, loszuschicken, abzuschicken, zuzusenden, zuzuschicken, entrichten, ausgleichen, vergüten, vergelten",
  approve:
    "erlauben, genehmigen, freigeben, freizugeben, gestatten, erteilen, autorisieren, bewilligen, approven",
  revoke:
    "widerrufen, entziehen, zuruckziehen, zuruckzuziehen, zurucknehmen, zuruckzunehmen, aufheben, aufzuheben, loschen, entfernen, setzen, zurucksetzen, zuruckzusetzen, streichen, kappen, beenden, annullieren, revoken",
  wrap: "wrappen, verpacken, einpacken, einzupacken, einwickeln, einzuwickeln",
  unwrap: "unwrappen, entpacken, auspacken, auszupacken, auswickeln, auszuwickeln, entwickeln",
  convert:
    "tauschen, umtauschen, umzutauschen, eintauschen, einzutauschen, wechseln, umwandeln, umzuwandeln, verkaufen, swappen, konvertieren, wandeln",
  buy: "kaufen, ankaufen, einkaufen, erwerben, anschaffen",
};

export const german = makeGrammar("de", {
  pay: `${withTails(
    "schick, schicke, sende, send, überweise, überweis, zahl, zahle, bezahl, bezahle, begleiche, begleich, übertrage, übertrag, transferiere, transferier, spende, spend, schenk, schenke, gib, gebt, erstatte, vergüte, verschick, verschicke, verschieb, leite, entrichte, bring, bringe, reich, reiche, weise, weis, steck, stecke, lass",
  )
    .replace(/, verschieb\b[^,]*/g, "")
    .replace(
      /, lass\b[^,]*/g,
      "",
    )}, ${formal("überweisen, senden, schicken, zahlen, bezahlen, begleichen, übertragen, transferieren, spenden, schenken, geben, erstatten, entrichten, vergüten, leiten, weisen")}, tätige eine zahlung von, tätigen sie eine zahlung von, mach eine überweisung von, mache eine überweisung von, veranlasse die zahlung von, veranlassen sie die zahlung von, veranlasse eine zahlung von, veranlasse die überweisung von, veranlassen sie die überweisung von, veranlasse eine überweisung von, ${last.pay}`,
  approve: `${withTails("erlaube, erlaub, genehmige, genehmig, gestatte, autorisiere, bewillige, approve, erteile, gewähre, gib, gebt, gib frei, räume")}, ${formal("erlauben, genehmigen, gestatten, autorisieren, bewilligen, erteilen, gewähren, geben")}, setze die freigabe auf, setz die freigabe auf, ${last.approve}`,
  revoke: `${withTails("widerrufe, widerruf, entziehe, entzieh, lösche, lösch, entferne, entfern, setze, setz, streiche, kappe, nimm, zieh, ziehe, hebe, heb, beende, annulliere, revoke, storniere, reduziere")}, ${formal("widerrufen, entziehen, löschen, entfernen, setzen, nehmen, ziehen, heben, beenden")}, ${last.revoke}`,
  wrap: `wrap, wrappe, wrapp, verpacke, verpack, pack, packe, wickle, wickel, ${formal("wrappen, verpacken, packen")}, wrap mir, wrappe mir, ${last.wrap}`,
  unwrap: `unwrap, unwrappe, entpacke, entpack, entwrappe, ${formal("unwrappen, entpacken")}, ${last.unwrap}`,
  convert: `${withTails("tausche, tausch, wandle, wandel, wandele, wechsle, wechsel, wechsele, verkaufe, verkauf, swap, swappe, konvertiere, konvertier, mach, mache, trade")}, ${formal("tauschen, wandeln, wechseln, verkaufen, swappen, konvertieren")}, ${last.convert}`,
  buy: last.buy,
});
