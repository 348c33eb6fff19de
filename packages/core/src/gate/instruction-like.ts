/**
 * Does a text hold a rule, a request, a command, an address or a credential? Asked of text that came from a tool or a document, which may inform the agent but
 * never order it about (DESIGN 5). Deterministic: fixed word lists and patterns. A plain fact that is held costs a person a look; an order let
 * through fires in every later session, so doubt means yes.
 */

import { normaliseText } from '../text/normalise-text.ts'
import { remember, spend } from '../text/work-limit.ts'
import { holdsCredential } from '../threats/credentials/find-credentials.ts'
import { BINDING_PARTS, BINDING_WORDS, ORDERING_VERBS } from './instruction-words.ts'

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

/** Of a project, not of its reader: what it is run with, and what it needs. */
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
 * What makes text from outside more than a fact, or undefined: an address, a permission, an order to its reader, a risky command. The commands and requirements of a
 * project are facts ("tests run with pnpm test", "requires Node 20").
 */
export const bindsFromOutside = remember('bindsFromOutside', (text): string | undefined => {
  spend(1_000 * text.length)
  if (invisible.test(text) || mixedScripts.test(text.normalize('NFKC'))) return 'hidden or mixed characters'
  if (holdsCredential(text)) return 'a credential'
  const plain = prepared(text)
  const shell = commands.slice(0, 2)
  return firstSign(plain, [...credentials, ...addresses, ...shell, riskyCommand, ...bindingFromOutside, order])
})
