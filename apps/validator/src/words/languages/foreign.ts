/**
 * Unsupported languages, as far as needed to recognise a text in one of them. Their words for "not" and "if" matter most: read
 * as English, they would be ignored.
 */

/** Frequent words, without those that one of our own languages also has. */
export const FOREIGN_WORDS = [
  // Turkish
  "cevir aktar hesabima gonder gonderme lutfen cuzdan cuzdanima icin ve bir adresine hesabina tane kadar takas et satin al yatir cek degistir degil eger sakin",
  // Italian
  "invia inviare mandare manda scambia compra vendi vorrei di il lo gli della dello delle del al alla alle favore indirizzo portafoglio non se verso nel nella questo perche deposita preleva approva",
  // Dutch
  "stuur naar het een van mijn wissel koop verkoop adres niet geen als alstublieft graag ruil zet stort haal goed maak over",
  // Polish
  "wyslij prosze na adres zamien kup sprzedaj moje nie jesli do dla przelej wplac wyplac portfel",
  // Czech, Slovak, Slovenian, Croatian
  "poslji posli poslat prosim ne ako jestli pokud penize penezenku vymen koupit prodaj kupi posalji molim novcanik zamijeni",
  // Romanian
  "trimite catre schimb nu daca va rog portofel vinde cumpara",
  // Hungarian
  "kuldj kerlek nem ha penztarca cserelj ide vegyel",
  // Finnish, Estonian
  "laheta osoite vaihda ala jos osoitteeseen saada ei kui aadressile",
  // Swedish, Danish, Norwegian
  "skicka till byt kop salj inte om til ikke hvis venligst vennligst overfor bytt kjop selg vaer snall adressen min mitt plånbok lommebok",
  // Indonesian, Malay
  "kirim kirimkan ke saya tukar beli jual dompet jangan jika kepada tolong alamat untuk dan yang sekarang hantar",
  // Vietnamese
  "gui den doi mua ban vi cua toi khong neu cho chuyen hay dung",
  // Tagalog
  "magpadala ipadala ng kay sa ang huwag kung paki bayaran",
  // Swahili
  "tuma kwa usitume kama tafadhali pesa badilisha",
  // Lithuanian, Latvian
  "siusk prasau jeigu gavejui nesiusk suti nesuti ludzu",
  // Albanian, Catalan, Basque, Irish, Welsh
  "dergo mos nese te lutem envieu envia'm bidali anfon seol",
].join(" ");

/** Letters that none of our languages writes in small words. */
export const FOREIGN_LETTERS =
  /[ąęłżźśćńčšžřěůőűşğıțșăđươåøþðėįųūļņķģĺľŕťďňīēāạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/u;
