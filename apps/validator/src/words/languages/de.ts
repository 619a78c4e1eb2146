/** German. Verbs often stand last, and their prefixes apart from them. */
import type { Pack } from "../phrases.ts";
import { germanForms, germanNumbers } from "./inflect.ts";

export const de: Pack = {
  id: "de",
  marks: {
    "verb:transfer": `${germanForms("send, zahl, überweis, transferier, schick, spend, verschick, bezahl, überweis, übertrag, verteil")}, sende, senden, gesendet, sendet, schicken, schickst, geschickt, verschickt, überweisung, überweisung von, zahlung, zahlung von, transfer von, überwiesen, überweise, zahle, bezahle, schieb, schiebe, steck, stecke, reich, reiche, spendier, spendiere, spendieren, lass zukommen, teile, teilen, aufteilen, gezahlt, gesandt, übertrage, übertragen, ausgezahlt`,
    "verb+light:transfer": "gib, geben, gebe",
    "verb:transfer|bridge|swap|supply": "geht, gehen, soll gehen, sollen gehen, muss gehen",
    "verb:swap|wrap|unwrap": `${germanForms("konvertier, wechsl, wandl, umwandl, umtausch")}, wandle, wandeln, umwandeln, umgewandelt, wechsle, wechseln, umtauschen, umzutauschen, umzuwandeln`,
    "verb:swap": `${germanForms("tausch, swapp, handl, eintausch")}, tausche, tauschen, getauscht, eintauschen, swappe, swap von, einzutauschen, zu tauschen, tausch, tauschst, eingetauscht`,
    "verb:swap|sell_nft": "verkaufe, verkaufen, verkauft, verkauf, verkauf von",
    "verb+gets:swap|buy_nft": `${germanForms("kauf, erwerb")}, kaufe, kaufen, gekauft, hol, hole, holen, besorge, besorgen, besorg, erwirb, zu kaufen`,
    "verb+gets+light:swap|claim|withdraw": "bekommt, erhält, kriegt, bekommen soll",
    "verb:wrap": "wrappe, wrappen, gewrappt, verpacke, verpacken, einwickeln, umhülle",
    "verb:unwrap": "unwrappe, unwrappen, entpacke, entpacken, auspacken",
    "verb:supply": "verleihe, verleihen, stelle bereit, hinterlege, hinterlegen, leihe aus",
    "verb:supply|stake|wrap|add_liquidity|bridge|transfer":
      "zahle ein, einzahlen, einzuzahlen, eingezahlt, einzahlung, einzahlung von, deponiere, deponieren, lege an, leg an, anlegen, anzulegen, lege, leg, legen, investiere, investieren, stecke, stecken, parke, parken, einlegen",
    "verb+gets:withdraw|unstake|unwrap|remove_liquidity|transfer":
      "hebe ab, abheben, abzuheben, ziehe ab, abziehen, abzuziehen, abgehoben, auszahlen, auszuzahlen, zahle aus, hebe, ziehe, entnehmen, entnimm, zieh, auszahlung von, abhebung von, abhebung, hol zurück",
    "verb+gets:borrow":
      "leihe, leihen, leih, ausleihen, borge, borgen, nimm einen kredit von, kredit von, einen kredit über, geliehen, leihe mir, leih mir, leihe uns, borge mir, borg mir, aufnehmen",
    "verb:repay":
      "zurückzahlen, zurückzuzahlen, zahle zurück, tilge, tilgen, begleiche, begleichen, rückzahlung von, zurückgezahlt, rückzahlung, zurück zahlen",
    "verb:stake|supply": "stake, staken, gestakt, setze ein, einsetzen, ins staking geben, staking von",
    "verb:unstake|withdraw": "unstake, unstaken, entstaken, löse ein, einlösen, löse",
    "verb+gets:claim":
      "beanspruche, beanspruchen, claime, claimen, sammle, sammeln, einsammeln, einfordern, fordere, kassiere",
    "verb:add_liquidity":
      "füge liquidität hinzu, liquidität hinzufügen, liquidität bereitstellen, stelle liquidität bereit, liquidität hinzuzufügen",
    "verb+gets:remove_liquidity":
      "entferne liquidität, liquidität entfernen, ziehe liquidität ab, liquidität abziehen, entferne meine liquidität",
    "verb:bridge": `${germanForms("brück, überbrück, bridg")}, bridge, bridgen, gebridgt, brücke, bringe, bringen, rüber bringen, hole rüber, schaff, schaffe, schaffen`,
    "verb:transfer|bridge|supply|stake|swap|withdraw":
      "bewege, bewegen, verschiebe, verschieben, verlagere, verlagern",
    "verb+gets:mint": "minte, minten, präge, prägen",
    "verb:approve": `darf, dürfen, darf ausgeben, ${germanForms("genehmig, autorisier, erlaub")}, genehmige, genehmigen, erlaube, erlauben, gestatte, gestatten, freigeben, gib frei, freigabe, freigabe von, genehmigung, genehmigung für, erlaubnis, lass, lasse, berechtigung, ermächtige`,
    "verb:revoke":
      "entzieh, widerrufe, widerrufen, entziehe, entziehen, widerruf, freigabe aufheben, hebe die freigabe auf, genehmigung widerrufen, freigabe widerrufen",
    "verb:delegate|stake": `${germanForms("delegier")}, delegiere, delegieren`,
    "verb:vote": "stimme, stimmen, abstimmen, stimme für",
    "verb:cancel": "storniere, stornieren, abbrechen, breche ab, annulliere",
    "verb:sell_nft": "biete an, anbieten, liste, listen, zum verkauf anbieten, einstellen",
    "verb:admin": "übertrage das eigentum, übertrage die eigentümerschaft",
    "verb+light:":
      "mache, machen, mach, führe aus, ausführen, durchführen, führe, tätige, tätigen, veranlasse, nutze, nutzen, verwende, verwenden, benutze, füge, setze, platziere",
    "prep:to":
      "seine adresse ist, ihre adresse ist, die adresse ist, die adresse lautet, seine adresse lautet, ihre adresse lautet, seine wallet ist, ihre wallet ist, an, zu, zur, zum, nach, an die adresse, an das wallet, an die wallet, empfänger, auf das konto, an den",
    "prep:into":
      "in, gegen, im tausch gegen, und erhalte, und bekomme, um zu erhalten, ins, für mindestens, ->, →, =>",
    "prep:for": "für",
    "prep:from": "von, aus, vom, ab",
    "prep:on": "auf, über, via, bei, mittels, per, durch, im netzwerk, auf dem, im, auf der, beim, auf das",
    "prep:with": "mit, mithilfe von, bezahlt mit",
    "prep:behalf": "im namen von, im auftrag von, zugunsten von",
    "prep:between": "zwischen, unter",
    "prep:as": "als",
    "prep:at": "zum preis von, zu einem preis von, limitpreis, limitpreis von, zum kurs von",
    "prep:per": "pro, je",
    "bound:most":
      "höchstens, maximal, bis zu, nicht mehr als, maximum, weniger als, unter, ein maximum von, max",
    "bound:least":
      "mindesterlös, mindestbetrag, mindestens aber, ich will mindestens, ich möchte mindestens, ich erwarte mindestens, mit mindestens, für mindestens, mindestens, wenigstens, minimum, nicht weniger als, mehr als, über mindestens, minimal, zumindest",
    "bound:exact": "genau, exakt, nur, lediglich, insgesamt, den betrag von, präzise",
    "bound:about": "ungefähr, etwa, circa, ca, rund, um die, in etwa, fast",
    "after:most": "oder weniger",
    "after:least": "oder mehr",
    "after:about": "oder so",
    "and:": "und, sowie, außerdem, auch, plus, und auch, ebenso",
    "then:":
      "dann, danach, anschließend, und dann, schließlich, zuerst, zuletzt, und danach, als nächstes, zunächst, im anschluss, hinterher",
    "cond:": "wenn, falls, sobald, nur wenn, sofern, vorausgesetzt, es sei denn",
    "purpose:":
      "damit, weil, denn, da ich, um zu, verwendungszweck, betreff, das ist für, es ist für, für die miete, fürs abendessen, als bezahlung, für das essen, für seine arbeit, grund",
    "self:":
      "meinem namen, meinen namen, mein eigenes wallet, meine eigene wallet, mein eigenes konto, meine eigene adresse, meiner eigenen wallet, meinem eigenen konto, mein wallet, meine wallet, mein konto, meine adresse, mich, mir, mich selbst, meinem wallet, meiner wallet, meinem konto, meinem eigenen wallet, ich, dasselbe wallet, meine eigene wallet, meine eigene adresse",
    "my:": "mein, meine, meinen, meinem, meiner, meines, unser, unsere, unseren, unserem",
    "all:":
      "alle, alles, all, gesamte, gesamten, gesamtes, ganze, ganzen, komplette, kompletten, sämtliche, sämtlichen, mein gesamtes, meine gesamten, das gesamte, den gesamten, meinen gesamten, den rest, alle meine, all meine, all mein, meine ganzen, mein ganzes, vollständig, komplett",
    "vague:": "etwas, ein paar, einige, ein wenig, ein bisschen, mehrere, einen teil, einen teil von",
    "share:5000":
      "die hälfte, die hälfte von, die hälfte der, die hälfte meiner, hälfte, die hälfte meines, die hälfte des",
    "share:2500": "ein viertel, ein viertel von, ein viertel meiner",
    "share:1/3": "ein drittel, ein drittel von, ein drittel meiner",
    "share:7500": "drei viertel, drei viertel von",
    "share:2/3": "zwei drittel, zwei drittel von",
    "num:0": "null",
    "num:1": "ein, eine, einen, eins, einem, einer",
    "num:2": "zwei",
    "num:3": "drei",
    "num:4": "vier",
    "num:5": "fünf",
    "num:6": "sechs",
    "num:7": "sieben",
    "num:8": "acht",
    "num:9": "neun",
    "num:10": "zehn",
    "num:11": "elf",
    "num:12": "zwölf",
    ...germanNumbers(),
    "num:0.5": "halbe, halben, halber, halbes, ein halbes, einen halben, eine halbe",
    "num:1.5": "anderthalb, eineinhalb",
    "num:2.5": "zweieinhalb",
    "scale:3": "tausend, tsd",
    "scale:6": "million, millionen, mio",
    "scale:9": "milliarde, milliarden, mrd",
    "unit:1": "sekunde, sekunden",
    "unit:60": "minute, minuten",
    "unit:3600": "stunde, stunden",
    "unit:86400": "tag, tage, tagen",
    "unit:604800": "woche, wochen",
    "unit:2592000": "monat, monate, monaten",
    "each:": "jeweils, je, an jeden, jedem, jeder, pro person",
    "evenly:": "gleichmäßig, zu gleichen teilen, gleich",
    "unlimited:":
      "unbegrenzt, unbegrenzte, unbegrenzten, unlimitiert, unlimitierte, unendlich, unendliche, grenzenlos, unbeschränkt, unbeschränkte",
    "slippage:": "slippage, maximale slippage, slippage toleranz, slippage-toleranz, schlupf, kursabweichung",
    "gas:": "gas, gaspreis, gasgebühr, gasgebühren, netzwerkgebühr, netzwerkgebühren",
    "pronoun:": "es, das ergebnis, den erlös, diese, das ganze, den betrag, sie, die erhaltenen",
    "asset:ETH": "ether",
    "asset:USDT": "tether",
    "class:token": "token, tokens, coins",
    "class:rewards": "belohnungen, belohnung, zinsen, erträge, rewards",
    "class:position": "position, positionen, anteile",
    "class:debt": "schulden, kredit, darlehen, schuld, kredits, darlehens, kreditschulden",
    "class:nft": "nft, nfts",
    "class:stablecoin": "stablecoins",
    "balance:": "guthaben, bestand, saldo, vermögen, bestände",
    "fiat:USD": "dollar, usd, us-dollar",
    "fiat:EUR": "euro, eur",
    "worth:": "im wert von, wert an, gegenwert in",
    "percent:": "prozent",
    "bps:": "basispunkte, basispunkten",
    "within:":
      "innerhalb von, innerhalb der nächsten, in den nächsten, gültig für, läuft ab in, frist von, binnen, spätestens in, laufzeit, laufzeit von, mit einer frist von",
    "until:": "bis, vor, bis zum, vor dem, spätestens am, spätestens bis",
    "later:":
      "morgen, täglich, wöchentlich, monatlich, jeden tag, jede woche, jeden monat, heute abend, nächste woche",
    "partial:": "teilausführung, teilausführungen, teilweise ausführung, teilweise, teilfüllungen",
    "fee:": "gebühr, gebühren, provision, kommission",
    "neg:refuse":
      "unterlasse, unterlass, unterlassen, unterlasse es, lass es sein, lass es, lass das, lass das sein, weigere, ich weigere mich, auf keinen fall, unter keinen umständen, hör auf, höre auf, bloß nicht, bloss nicht, ja nicht",
    "neg:":
      "nicht, kein, keine, keinen, keinem, niemals, nie, ohne, vermeide, außer, bis auf, statt, anstatt, anstelle von, keinesfalls, weder, noch",
    "but:": "aber, jedoch, allerdings, sondern",
    "keep:": "behalte, lass übrig, behaltend, abzüglich",
    "noteword:":
      "rechnung, bestellung, referenz, ref, schritt, beleg, nummer, nr, rechnungsnummer, januar, februar, märz, april, mai, juni, juli, august, september, oktober, november, dezember, auftrag",
    "correct:": "nein warte, ich meine, moment, korrektur, besser gesagt, entschuldigung, warte",
    "noise:":
      "ohne gas, gaslos, gaslose, gasfrei, darf ich, bin, lang, in einem rutsch, in einem zug, in einer transaktion, in einem durchgang, auf einmal, bitte, danke, vielen dank, hallo, guten tag, guten morgen, guten abend, hi, ich möchte, ich will, ich würde gerne, ich würde gern, ich brauche, möchte, will, würde, gerne, gern, kannst du, können sie, könntest du, könnten sie, hilf mir, lass uns, wir möchten, wir wollen, ich muss, muss, soll, sollen, der, die, das, den, dem, des, jetzt, sofort, gleich, heute, umgehend, dass, sich, dir, ihm, ihr, ihnen, sein, seine, dein, deine, dieser, dieses, adresse, wallet, konto, netzwerk, kette, chain, protokoll, plattform, vertrag, folgende, folgenden, order, limit order, limitorder, markt, zum besten preis, zum marktpreis, zum aktuellen kurs, von meinem konto, von meinem wallet, aus meinem wallet, von meiner wallet, aus meiner wallet, so schnell wie möglich, wenn möglich, falls möglich, freund, freundin, für mich, ist, sind, wird, werden, werde, auszugeben, ausgeben, sonst nichts, nichts anderes, und sonst nichts, keine eile, um, zu, zurück, hinzu, bereit, ein paar mal, eine transaktion, mal",
  },
  keys: {
    verb: "aktion, vorgang, typ, operation",
    amount: "betrag, menge, anzahl, wert, summe",
    token: "token, währung, coin",
    to: "empfänger, an, ziel, zieladresse, adresse",
    from: "absender, von, quelle",
    on: "protokoll, plattform, börse, über, via",
    chain: "netzwerk, chain, kette",
    tochain: "zielnetzwerk, zielchain",
    slippage: "slippage",
    deadline: "frist, ablauf, gültigkeit",
    note: "notiz, verwendungszweck, betreff, grund, referenz, hinweis",
    gives: "verkaufe, verkaufen",
    gets: "kaufe, kaufen, erhalte",
    least: "minimum, mindestens, mindestbetrag",
    spender: "ausgeber, berechtigter",
  },
  stop: "auf sowie einem bei ein nicht keine kein nach der die das und an von in auf bitte ich möchte mein meine meinen senden sende tausche tauschen kaufe verkaufe für mit bei nicht zu aus ein eine einen dann danke über schicke überweise alle leihe gegen höchstens mindestens zahle erlaube genehmige hebe würde gerne um hälfte",
};
