/**
 * Does a text hold a rule, a request, a command, an address or a credential? Asked of text that came from a tool or a document, which may inform the agent but
 * never order it about (DESIGN 5). Deterministic: fixed word lists and patterns. A plain fact that is held costs a person a look; an order let
 * through fires in every later session, so doubt means yes.
 */
import type { MemoryTarget } from '../memory/memory-op.ts'
import { holdsCredential } from '../shared/credentials/find-credentials.ts'
import { BINDING_PARTS, BINDING_WORDS, ORDERING_VERBS } from './instruction-words.ts'
import { normaliseText } from './normalise-text.ts'
import { remember, spend } from './work-limit.ts'

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
/** A word of two scripts is how a listed word is hidden from a list. */
const mixedScripts = /\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}/u
const invisible = /[\u00ad\u200b\u2060-\u2064\u202a-\u202e\u2066-\u2069\ufeff]/

const firstSign = (text: string, signs: readonly Sign[]): string | undefined => signs.find(({ pattern }) => pattern.test(text))?.name

// Line breaks begin sentences, so they survive here as full stops.
const prepared = (text: string): string =>
  normaliseText(text.split(/[\n\r\u2028\u2029\u0085]/).join(' . '))
    .replace(dates, ' ')
    .trim()

/** What makes the text more than a plain fact, or undefined. */
export const instructionLike = remember('instructionLike', (text): string | undefined => {
  spend(1_000 * text.length)
  if (invisible.test(text) || mixedScripts.test(text.normalize('NFKC'))) return 'hidden or mixed characters'
  if (holdsCredential(text)) return 'a credential'
  if (codeWithSpace.test(text)) return 'a command'
  return firstSign(prepared(text), [...credentials, ...addresses, ...commands, ...binding, order])
})

// How a profile is written, which says nothing about who ordered it.
const profileOpening =
  /^(?:the )?(?:user )?(?:also |generally |usually |strongly |really )?(?:prefers|likes|dislikes|wants|wishes|needs|expects|asks|requests|would like|does not (?:want|like|need)|doesn't (?:want|like|need))(?: to be| to| that| for)?(?![\p{L}\p{N}])/iu

/** The same for an entry of one store: "The user prefers …" is how a profile puts any fact, so there it is no sign by itself. */
export const instructionLikeFor = (target: MemoryTarget, text: string): string | undefined => {
  return instructionLike(target === 'user' ? text.trim().replace(profileOpening, 'it is') : text)
}

/** Only the signs that bind or address the reader: for the source itself, where manuals are full of harmless "run this". */
export const bindsReader = (text: string): boolean => {
  spend(500 * text.length)
  return firstSign(prepared(text), [...credentials, ...binding]) !== undefined
}
