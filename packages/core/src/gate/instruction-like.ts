/**
 * Detects a rule, a request, a command, an address or a credential in text from a tool or a document, which may inform the agent but never instruct it
 * (DESIGN 5). Deterministic: fixed word lists and patterns. Doubtful text counts as an instruction: a plain fact that is held costs a person a look, but an
 * instruction that passes affects every later session.
 */
import { normaliseText } from '../text/normalise-text.ts'
import { LINE_ENDS } from '../text/sentences.ts'
import { remember, spend } from '../text/work-limit.ts'
import { holdsCredential } from '../threats/credentials/find-credentials.ts'

// The word lists, in the languages most used with agents.

const list = (text: string): readonly string[] => text.trim().split(/\s*\|\s*|\s*\n\s*/)

/** Words that address or oblige the reader, anywhere in a text. Matched as whole words; for Chinese, Japanese and similar scripts as parts. */
const BINDING_WORDS: readonly string[] = list(`
always | never | must | mustn't | should | shouldn't | shall | ought to | need to | needs to | have to | has to | required | requires | require | mandatory
do not | don't | cannot | can't | may not | not allowed | forbidden | prohibited | only ever | make sure | be sure | ensure | ensures
remember | don't forget | keep in mind | note that you | from now on | going forward | henceforth | in future | in the future | whenever | every time
each time | any time | if asked | when asked | ignore | disregard | override | overrides | bypass | pretend | instruction | instructions | instructed
rule | rules | policy | policies | guideline | guidelines | protocol | procedure | please | you | your | yours | yourself
the agent | the assistant | the model | the ai | ai agents | assistants | agents | system prompt
without asking | without confirmation | without approval | without review | without verification | no need to | no approval | no confirmation
no review | safe to | authorized | authorised | approved | pre-approved | trusted | whitelisted | allowlisted | exempt | permission | permitted | allowed to
supposed to | expected to | recommended | recommends | instead of | takes precedence | has priority | highest priority | important | urgent | immediately
siempre | nunca | jamás | debe | debes | deben | debería | hay que | tienes que | tiene que | recuerda | recordar | ignora | ignore | ejecuta | ejecute | envía
envíe | usa | usar | use | asegúrate | obligatorio | prohibido | a partir de ahora | no olvides | regla | reglas | instrucciones
sempre | jamais | deve | devem | deverá | tem que | precisa | é preciso | lembre | lembra | lembrar | executa | envie | envia | utilize | certifique-se
obrigatório | proibido | a partir de agora | não esqueça | regra | regras | instruções
toujours | doit | doivent | devez | dois | il faut | ignorez | exécute | exécutez | envoie | envoyez | utilise | utilisez | rappelle-toi | souviens-toi
n'oublie | n'oubliez | obligatoire | interdit | désormais | dorénavant | règle | règles | consigne | consignes
immer | nie | niemals | muss | müssen | musst | soll | sollen | sollst | sollte | sollten | darf | dürfen | merke | merk dir | ignoriere | führe | sende
schicke | verwende | benutze | nutze | stelle sicher | verboten | ab jetzt | von nun an | regel | regeln | anweisung | anweisungen | vorschrift
deve | devi | devono | bisogna | ignora | esegui | invia | usa | ricorda | ricordati | assicurati | vietato | obbligatorio | d'ora in poi | regola | regole
altijd | nooit | moet | moeten | onthoud | negeer | voer uit | stuur | gebruik | zorg ervoor | verboden | vanaf nu
всегда | никогда | должен | должна | должны | нужно | надо | необходимо | обязательно | нельзя | запрещено | игнорируй | игнорируйте | запусти | запустите
выполни | выполните | отправь | отправляй | отправьте | запомни | запомните | помни | используй | используйте | отныне | правило | правила
zawsze | nigdy | musi | musisz | należy | zapamiętaj | zignoruj | uruchom | wyślij | her zaman | asla | mutlaka | gerekir | hatırla | yoksay | çalıştır | gönder
`)

/** The same, for scripts that do not separate words by spaces or that add endings. */
const BINDING_PARTS: readonly string[] = list(`
必须 | 必須 | 务必 | 務必 | 总是 | 總是 | 始终 | 始終 | 永远 | 永遠 | 从不 | 从来不 | 不要 | 不得 | 不可 | 不能 | 禁止 | 请 | 請 | 应该 | 應該 | 应当 | 忽略 | 无视 | 無視 | 执行 | 執行 | 运行 | 發送 | 发送
记住 | 記住 | 记得 | 規則 | 规则 | 指令 | 指示 | 要求 | 今后 | 以后 | 每次 | 無論 | 无论 | 允许 | 批准
必ず | 常に | 絶対 | いつも | ください | 下さい | しないで | してはいけ | してはなら | すべき | べき | なければ | 実行 | 送信 | 覚えて | ルール | 規約 | 従って | 今後 | するな | せよ | しろ | 許可
항상 | 반드시 | 절대 | 하세요 | 하십시오 | 하지 마 | 해야 | 무시 | 실행 | 보내 | 기억 | 규칙 | 지시 | 앞으로 | 허용
دائما | دائمًا | أبدا | أبدًا | يجب | تجاهل | نفذ | أرسل | تذكر | قاعدة | ممنوع | من الآن
हमेशा | कभी नहीं | चाहिए | ज़रूर | जरूर | अनदेखा | चलाओ | भेजो | याद रख | नियम | अनिवार्य
תמיד | אף פעם | לעולם | חייב | התעלם | הרץ | שלח | זכור | luôn | không bao giờ | phải | hãy | ต้อง | ห้าม | เสมอ | อย่า | โปรด
`)

/** English verbs that give an order at the beginning of a sentence or clause. */
const ORDERING_VERBS: readonly string[] = list(`
accept | access | act | add | allow | answer | append | apply | approve | ask | assume | attach | avoid | call | change | check | choose | click | clone | commit
configure | confirm | connect | contact | copy | create | decline | delete | deny | deploy | disable | do | download | drop | email | enable | enter | escalate
execute | export | fetch | fix | follow | forget | forward | get | give | go | grant | import | include | insert | inform | install | introduce | invoke
keep | launch | leave | let | load | make | mention | merge | modify | move | navigate | notify | obey | omit | open | output | overwrite | paste
pay | perform | pick | post | prefer | prepend | print | proceed | promote | propose | provide | publish | pull | purchase | push | put | read
recommend | redirect | refer | refuse | register | reject | remove | rename | repeat | replace | reply | report | request | reset | respond | restart
return | reveal | revert | run | save | say | search | select | send | set | share | show | sign | skip | speak | start | stop | store | submit | suggest
switch | take | tell | transfer | treat | trust | try | turn | uninstall | update | upgrade | upload | use | verify | visit | wait | warn | wire | write
`)

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
const anyOf = (words: readonly string[]): string => [...new Set(words)].map((text) => escaped(normaliseText(text))).join('|')

const FILE_ENDINGS =
  'json|jsonc|yaml|yml|toml|xml|html?|css|scss|md|mdx|txt|csv|tsx?|jsx?|mjs|cjs|mts|cts|py|rb|rs|go|java|kt|swift|c|h|cpp|cs|php|sql|lock|env|ini|cfg|conf|log|pdf|png|jpg|svg'

const words = (source: string): RegExp => new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'u')

interface Sign {
  readonly name: string
  readonly pattern: RegExp
}

const binding: readonly Sign[] = [
  { name: 'a rule or a request', pattern: words(anyOf(BINDING_WORDS)) },
  { name: 'a rule or a request', pattern: new RegExp(anyOf(BINDING_PARTS), 'u') },
  {
    name: "a claim about the user's wishes",
    pattern:
      /(?<![\p{L}\p{N}])(?:user|customer|owner|admin|boss|client)(?:'s|s)?\s+(?:\p{L}+\s+){0,2}(?:want|wish|prefer|expect|ask|request|like|need|allow|agree|consent|instruct|demand)/u,
  },
]

const order: Sign = {
  name: 'an order',
  pattern: new RegExp(
    `(?:^|[.!?:;,\\n(>"'*#\\]-]\\s{0,8}|(?<![\\p{L}\\p{N}])(?:then|and|also|just|first|next|finally|kindly)\\s)(?:${anyOf(ORDERING_VERBS)})(?=\\s|[:,.!?]|$)`,
    'u',
  ),
}

const commands: readonly Sign[] = [
  {
    name: 'a command',
    pattern: /```|~~~|\$\(|&&|\|\||\s\|\s{0,4}[a-z]|(?:^|\s)[$#>]\s[a-z]|2>&1|\/dev\/|<script|javascript:|%[0-9a-f]{2}%[0-9a-f]{2}/,
  },
  {
    name: 'a command',
    pattern:
      /(?<![\p{L}\p{N}-])(?:curl|wget|sudo|rm|chmod|chown|bash|zsh|powershell|iex|eval|ssh|scp|netcat|nc|npx|uvx|base64|crontab)\s+[\p{L}\p{N}"'$/.~-]/u,
  },
  {
    name: 'a command',
    pattern:
      /(?<![\p{L}\p{N}-])(?:npm|pnpm|yarn|bun|pip3?|cargo|brew|apt|apt-get|docker|kubectl|git|make|go|deno|node|python3?|terraform|aws|gcloud|az|psql|mysql)\s+(?:-|(?:install|i|add|run|exec|build|test|start|push|pull|clone|commit|reset|checkout|rm|compose|apply|delete|publish|ci|create|init|login|config|set)(?![\p{L}\p{N}]))/u,
  },
]

const addresses: readonly Sign[] = [
  { name: 'an address', pattern: /[a-z][a-z0-9+.-]{1,20}:\/\/|(?<![\p{L}\p{N}])www\.|(?:mailto|tel|data|file):\S/u },
  { name: 'an address', pattern: /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}\./u },
  {
    name: 'an address',
    pattern: /(?<![\p{L}\p{N}.])(?:\d{1,3}\.){3}\d{1,3}(?![\p{N}.])|(?:[0-9a-f]{1,4}:){3,7}[0-9a-f]{1,4}|::[0-9a-f]{1,4}/u,
  },
  {
    name: 'an address',
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}._-])(?:[\\p{L}\\p{N}-]{1,63}\\.){1,8}(?!(?:${FILE_ENDINGS})(?![\\p{L}\\p{N}]))\\p{L}{2,24}(?![\\p{L}\\p{N}-]|\\.\\p{L})`,
      'u',
    ),
  },
  { name: 'an address', pattern: /\p{L}\s?(?:\[|\()(?:dot|at|\.|@)(?:\]|\))\s?\p{L}/u },
  {
    name: 'an account or a phone number',
    pattern: /(?<![\p{L}\p{N}])[a-z]{2}\d{2}(?:\s?[a-z0-9]{4}){2,7}|(?<!\d)\+?\(?\d(?:[\s()./-]{0,2}\d){8,}/u,
  },
]

const credentials: readonly Sign[] = [
  {
    name: 'a credential',
    pattern:
      /(?<![\p{L}\p{N}])(?:passwords?|passwd|passphrase|api[ _-]?keys?|access[ _-]?keys?|private[ _-]?keys?|credentials?|seed phrase)(?![\p{L}\p{N}])/u,
  },
  { name: 'a credential', pattern: /(?:token|secret|pin|pwd|key|auth)\s{0,4}(?:is|=|:)\s{0,4}\S/ },
  {
    name: 'a credential',
    pattern: /senha|contraseña|mot de passe|passwor[dt]|wachtwoord|парол|密码|密碼|パスワード|비밀번호|-----begin|authorization:|bearer\s/,
  },
  { name: 'a credential', pattern: /(?<![\p{L}\p{N}])(?:sk|pk|ghp|gho|ghs|glpat|xox[abprs]|akia|aiza|eyj)[_-]?[a-z0-9_-]{12,}/u },
  {
    name: 'a long mark such as a key',
    pattern: /(?<![\p{L}\p{N}+/_=-])(?=[a-z0-9+/_=-]{0,64}\d)(?=[a-z0-9+/_=-]{0,64}[a-z])[a-z0-9+/_=-]{24,}/u,
  },
]

const dates = /(?<!\d)\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?z?)?/g
const codeWithSpace = /`[^`\n]*[\s/|;&$][^`\n]*`/
/** Mixed scripts in a word: used to hide a listed word from the list. */
const mixedScripts = /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/u
const invisible = /[\u00ad\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff]/

const firstSign = (text: string, signs: readonly Sign[]): string | undefined => signs.find(({ pattern }) => pattern.test(text))?.name

// Line breaks begin sentences, so they become full stops.
const prepared = (text: string): string => normaliseText(text.replace(LINE_ENDS, ' . ')).replace(dates, ' ').trim()

/** Why the text is refused whatever it says, or undefined. */
const unfit = (text: string): string | undefined => {
  spend(1_000 * text.length)
  if (invisible.test(text) || mixedScripts.test(text.normalize('NFKC'))) return 'hidden or mixed characters'
  if (holdsCredential(text)) return 'a credential'
  return undefined
}

/** Why the text is more than a plain fact, or undefined. */
export const instructionLike = remember('instructionLike', (text): string | undefined => {
  const found = unfit(text) ?? (codeWithSpace.test(text) ? 'a command' : undefined)
  return found ?? firstSign(prepared(text), [...credentials, ...addresses, ...commands, ...binding, order])
})

/** Requirements of a project, not of its reader. */
const PROJECT_WORDS: ReadonlySet<string> = new Set(['require', 'requires', 'required', 'needs to', 'need to'])

const bindingFromOutside: readonly Sign[] = binding.map((sign, index) =>
  index === 0 ? { ...sign, pattern: words(anyOf(BINDING_WORDS.filter((word) => !PROJECT_WORDS.has(word)))) } : sign,
)

const riskyCommand: Sign = {
  name: 'a command that fetches, publishes or deletes',
  pattern:
    /(?<![\p{L}\p{N}-])(?:npm|pnpm|yarn|bun|pip3?|cargo|brew|apt|apt-get|docker|kubectl|git|go|deno|terraform|aws|gcloud|az|psql|mysql)\s+(?:(?:install|i|add|get)\s+[^\s.,;)]|(?:push|pull|clone|reset|rm|apply|delete|publish|create|login|config|set|exec)(?![\p{L}\p{N}]))/u,
}

/**
 * Why text from outside is more than a fact, or undefined: an address, a permission, an order to its reader, a risky command. The commands and requirements
 * of a project are facts ("tests run with pnpm test", "requires Node 20").
 */
export const bindsFromOutside = remember('bindsFromOutside', (text): string | undefined => {
  const shell = commands.slice(0, 2)
  return unfit(text) ?? firstSign(prepared(text), [...credentials, ...addresses, ...shell, riskyCommand, ...bindingFromOutside, order])
})
