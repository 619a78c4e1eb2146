/** French. */
import { loadWords } from "../../force/ordinary-words.ts";
import { makeGrammar } from "../grammar.ts";
import { loadPhrases } from "../load-phrases.ts";

const list = (words: string): readonly string[] => words.split(",").map((word) => word.trim());
const listed = loadPhrases("fr");
const phrases = (name: string): readonly string[] => listed.get(name) ?? [];
const startsOpen = (word: string): boolean => /^[aeiouyhàâéèêëîïôûùœ]/iu.test(word);

/** Words together with their elided forms: "exemple", "l'exemple", "d'exemple". */
const elided = (words: readonly string[], heads: readonly string[]): string =>
  [...words, ...words.filter(startsOpen).flatMap((word) => heads.map((head) => `${head}'${word}`))].join(
    ", ",
  );

/** "envoie", "envoie lui", "envoie y": a hyphen ends a word. */
const CLITICS = [
  "lui",
  "leur",
  "le",
  "la",
  "les",
  "y",
  "lui en",
  "le lui",
  "la lui",
  "les lui",
  "moi",
  "nous",
];
const withClitics = (imperatives: string): string =>
  list(imperatives)
    .flatMap((verb) => [verb, ...CLITICS.map((clitic) => `${verb} ${clitic}`)])
    .join(", ");

/** "lui envoyer", "leur verser". */
const withObjects = (infinitives: string): string =>
  list(infinitives)
    .flatMap((verb) => [
      verb,
      ...["lui", "leur", "le", "la", "les", "y", "me", "nous", "lui en"].map((object) => `${object} ${verb}`),
    ])
    .join(", ");

/** Nouns and adjectives of everyday life after "l'" and "d'". */
const elidedNouns = (["people", "things", "adjectives"] as const)
  .flatMap((name) => [...loadWords("fr", name)])
  .filter((word) => startsOpen(word) && /^\p{L}{2,}$/u.test(word))
  .flatMap((word) => [`l'${word}`, `d'${word}`])
  .join(", ");

/** "elle a payé", "il m'a tout avancé": what another person did. */
const reports = ["il", "elle", "ils", "elles", "qui"]
  .flatMap((who) =>
    [
      "a",
      "ont",
      "avait",
      "avaient",
      "m'a",
      "m'ont",
      "m'avait",
      "nous a",
      "nous ont",
      "nous avait",
      "lui a",
    ].map((has) => `${who} ${has}`),
  )
  .concat("m'a", "m'ont", "m'avait", "nous a", "nous avait", "nous ont")
  .flatMap((head) => [head, `${head} tout`, `${head} déjà tout`, `${head} bien`, `${head} gentiment`])
  .flatMap((head) =>
    list(
      "payé, avancé, réglé, acheté, offert, prêté, rendu, vendu, donné, fait, pris, mis, gardé, sorti, trouvé, fini, terminé, préparé, récupéré, commandé, réservé, dépanné",
    ).map((participle) => `${head} ${participle}`),
  )
  .join(", ");

export const french = makeGrammar("fr", {
  pay: `${withClitics(
    "envoie, envoies, envoyez, envoyons, verse, verses, versez, versons, vire, vires, virez, paie, paye, paies, payes, payez, payons, transfère, transfères, transférez, transférons, règle, règles, réglez, réglons, rembourse, rembourses, remboursez, remboursons, donne, donnes, donnez, donnons, offre, offres, offrez, offrons, file, files, filez, balance, balances, refile, passe, fais passer, faites passer, fais parvenir, faites parvenir, fais un virement de, faites un virement de, fais un paiement de, faites un paiement de, fais un transfert de, faites un transfert de, fais un envoi de, fais un don de, faites un don de, fais don de, faites don de, fais un versement de, faites un versement de, effectue un virement de, effectuez un virement de, effectue un paiement de, effectuez un paiement de, effectue un versement de, effectuez un versement de, effectue un transfert de, effectuez un transfert de, expédie, expédiez, adressez, acquitte, acquittez, soldez, rends, rendez, restitue, restituez, retourne, retournez, remets, remettez, renvoie, renvoyez, redonne, reverse, reversez, crédite, créditez, alimente, alimentez, recharge, rechargez, approvisionne, approvisionnez, lâche, glisse, bascule, basculez, déplace, déplacez, achemine, acheminez, remonte, dépanne, cotise, contribue, avancez, mets, mettez, procède au virement de, procédez au virement de, procède au paiement de, procédez au paiement de, procède au versement de, procédez au versement de, procède au transfert de, procédez au transfert de, procède au règlement de, procédez au règlement de, honore, honorez, débourse, déboursez, fais virer, fais partir, faites partir, fais envoyer, envoyer lui",
  )}, ${withObjects(
    "envoyer, verser, virer, payer, transférer, régler, rembourser, donner, offrir, filer, balancer, refiler, passer, faire passer, faire parvenir, faire un virement de, faire un paiement de, faire un transfert de, faire un envoi de, faire un don de, faire don de, faire un versement de, effectuer un virement de, effectuer un paiement de, effectuer un versement de, effectuer un transfert de, effectuer le virement de, effectuer le paiement de, procéder au virement de, procéder au paiement de, procéder au versement de, procéder au transfert de, procéder au règlement de, expédier, adresser, acquitter, solder, rendre, restituer, retourner, remettre, renvoyer, redonner, reverser, créditer, alimenter, recharger, approvisionner, glisser, basculer, déplacer, acheminer, mettre, honorer, faire virer, faire partir, contribuer, cotiser",
  )}`,
  approve: `${withClitics("donne, donnez, autorise, autorisez, approuve, approuvez, permets, permettez, accorde, accordez, valide une autorisation de, fixe l'autorisation à, fixe une autorisation de, mets une autorisation de, donne la permission à, donne l'autorisation à, donnez l'autorisation à, donne l'accès à, donne une autorisation de, donne une autorisation à, donne le droit à")}, autoriser, approuver, permettre, permettre à, accorder, donner l'autorisation à, donner la permission à, donner une autorisation de`,
  own: elided(phrases("own"), ["l", "d"]) + ", " + elidedNouns,
  request: elided(phrases("request"), ["l", "d"]),
  allowance: elided(phrases("allowance"), ["l", "d"]),
  frames: elided(phrases("frames"), ["l", "d", "j", "m", "t", "s", "qu", "c"]),
  did: reports,
});
