/** Words too common to carry a statement, for the languages most spoken to agents. Negations and `always` carry meaning and are not among them. */

const lists = [
  // English, and how notes speak of the person and the agent
  `a an the this that these those of to in on at by for from with into onto over under about as and or but if then than so too also just
  i me my mine we us our you your yours he him his she her hers it its they them their user users assistant agent please thanks thank hi hello hey ok
  okay yes is are was were be been being am has have had having do does did done can could will would shall may might there here what which who whom
  whose when where how why some any each very more most much many own same such s t m re ve ll d im ive`,
  // Portuguese, Spanish, Italian
  `o os um uma uns umas de do da dos das em na nos nas por para com e ou mas que se eu meu minha seu sua ele ela isto isso este esta esse essa ao aos
  é são foi ser está estou tem tenho usuário usuario utilizador favor obrigado obrigada olá oi el los las un una unos unas del al en y pero yo mi mis tu
  tus su sus lo le les es son fue está estoy tiene tengo gracias hola il lo gli uno del della dei delle nel nella con ed ma io mio suo sono è ho ha
  utente grazie ciao`,
  // French
  `la le les des du au aux et ou mais que qui je tu il elle nous vous ils elles mon ma mes ton ta tes son sa ses ce cette ces est sont suis être ai as a
  avons avez ont dans sur pour avec par en ne n qu utilisateur merci bonjour salut`,
  // German, Dutch
  `der die das den dem des ein eine einen einem einer und oder aber ich mir mich mein meine du dir dich dein deine er sie es wir uns ihr sein seine ist sind
  war bin hat habe haben im in am an auf aus bei mit nach von vom zu zum zur für als wie benutzer nutzer bitte danke hallo het een en of maar ik mij mijn
  jij je jouw hij zij wij ons is zijn was ben heeft heb van met naar op voor bij gebruiker alsjeblieft bedankt`,
  // Russian
  'и в во на с со к ко по из у о об от за для что как это я мне меня мой моя мы нас наш ты вы вас ваш он она они его её их пользователь спасибо привет',
]

export const STOP_WORDS: ReadonlySet<string> = new Set(lists.flatMap((list) => list.split(/\s+/)))
