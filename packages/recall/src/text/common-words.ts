/** Words that most conversations hold. Only a young home, which cannot count for itself, relies on them; none is ever left out of a search. */
import { termsOf } from './terms.ts'

const LISTS = [
  // English
  `a an the this that these those of to in on at by for from with into over under about as and or but if then than so too also just only even still
  i me my mine we us our you your yours he him his she her it its they them their who whom whose what which when where how why there here
  is are was were be been being am has have had do does did done can could will would shall should may might must need want
  not no yes any some all each every more most much many other another same such own one two first last next new old good great nice well right
  get got go going went come came take make made say said tell told know think see look let like help use put keep give find ask try work
  time day today now again before after ago ever never always maybe really very please thanks thank ok okay sure hi hello hey morning evening night
  sorry fine done stop continue explain write text question answer idea thing something anything nothing everything way lot bit back up down out off
  mean call name don t s m re ve ll d im long far high`,
  // German
  `der die das den dem des ein eine einen einem einer und oder aber ich mir mich mein meine du dir dich dein er sie es wir uns ihr ist sind war bin hat
  habe haben im in am an auf aus bei mit nach von vom zu zum zur für als wie was wer wo wann warum wenn dass nicht kein keine ja nein auch noch nur
  schon mal so kann können soll will wird werden bitte danke hallo guten morgen gut heute jetzt`,
  // French
  `le la les un une des du de au aux et ou mais que qui quoi je tu il elle nous vous ils mon ma mes ton ta tes son sa ses ce cette ces est sont suis ai
  as a avons avez ont dans sur pour avec par en ne pas plus quel quelle où quand comment pourquoi oui non merci bonjour salut bien très aussi`,
  // Spanish, Portuguese, Italian
  `el los las unos unas del al en y o pero que quien yo mi mis tu tus su sus lo le les es son fue estoy está tiene tengo con por para como cuando donde
  cuál qué no sí gracias hola buenos días bien muy também os um uma de do da dos das na nos nas com ou mas se eu meu minha seu sua ele ela isto isso é são
  foi ser está tem não sim obrigado olá bom dia il gli uno della dei delle nel nella con ed ma io mio suo sono è ho ha non perché come quando dove chi
  grazie ciao buongiorno`,
  // Dutch, Swedish
  `het een van dat die en maar ik mij mijn jij je jouw hij zij wij ons zijn heeft heb met naar op voor bij niet geen wel wat wie waar hoe waarom ja nee
  dank hallo goed ook nog en ett och men jag mig min du din han hon vi oss det den är var har att som på av för med till inte nej tack hej bra`,
  // Russian, Polish
  `и в во на с со к по из у о об от за для что как это я меня мне мой моя мы нас ты вы вас ваш он она они его её их не да нет был была есть когда где кто
  почему спасибо привет хорошо jest są był w z na do o i a ale że co kto kiedy gdzie jak dlaczego nie tak ja mi mój moja ty twój on ona my się dziękuję cześć dobrze`,
]

let known: ReadonlySet<string> | undefined

/** As terms. */
export const commonTerms = (): ReadonlySet<string> => {
  known ??= new Set(LISTS.flatMap((list) => termsOf(list)))
  return known
}
