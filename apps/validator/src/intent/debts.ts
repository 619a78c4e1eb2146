/** Returns whether a text names a debt: "get a 500 USDC loan" does, "get 500 USDC back" does not. */
export const namesDebt = (said: string): boolean => DEBT.test(said);
const DEBT =
  /\b(?:loans?|lend (?:me|us)|debts?|prestamo|préstamo|prestame|préstame|emprestimo|empréstimo|prêt|pret|prêtez?[ -]moi|kredit|darlehen|leihe? (?:mir|uns))\b|借|贷款/iu;

/** Returns whether a text names collateral. */
export const namesCollateral = (said: string): boolean => COLLATERAL.test(said);
const COLLATERAL =
  /\b(?:collateral\p{L}*|colateral|garant[ií]as?|garantie|sicherheit(?:en)?|pfand)\b|抵押|担保/iu;
