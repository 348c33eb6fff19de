/**
 * Threat patterns based on characters and distances, not on words (reference hermes-memory 7). Linear in the text: no expression below
 * rescans a long part from several starts.
 */
import type { ThreatScope } from './phrases.ts'
import type { ThreatText } from './text.ts'

interface TextWindow {
  /** Global. The part before the free text, white space included. */
  readonly opening: RegExp
  /** Global. If it begins with a white-space character, the whole run before it belongs to it. */
  readonly closing: RegExp
  /** Maximum characters of free text. */
  readonly maxChars: number
  readonly sameLine: boolean
}

const isSpaceAt = (text: string, at: number): boolean => text[at] === ' ' || text[at] === '\n'

/** Takes a folded or cased text. */
const hasWindow = (text: string, { opening, closing, maxChars, sameLine }: TextWindow): boolean => {
  // Most texts have neither, and `matchAll` copies the pattern first.
  if (text.search(closing) < 0 || text.search(opening) < 0) return false
  const openings = text.matchAll(opening)
  let ahead = openings.next()
  // Most texts hold no opening. The other expression is then not even compiled, which takes longer than the search.
  if (ahead.done) return false
  let from = -1
  let lineEnd = -1
  for (const match of text.matchAll(closing)) {
    let to = match.index
    if (isSpaceAt(text, to)) while (isSpaceAt(text, to - 1)) to--
    // Of the openings before it, the last has the least free text and the fewest line ends.
    while (!ahead.done && ahead.value.index + ahead.value[0].length <= to) {
      from = ahead.value.index + ahead.value[0].length
      ahead = openings.next()
    }
    if (from < 0 || to - from > maxChars) continue
    if (!sameLine) return true
    if (lineEnd < from) lineEnd = endOfLine(text, from)
    if (to <= lineEnd) return true
  }
  return false
}

const endOfLine = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** Maximum characters between a keyword and either end of its comment. */
const NEAR_CHARS = 512

const MARKS = /<!--|>|ignore|override|system|secret|hidden/g

/** A comment with one of the words, also inside a longer word; no `>` before its end. */
const hasTellingComment = ({ folded }: ThreatText): boolean => {
  let opened = -1
  let told = -1
  for (const { 0: mark, index } of folded.matchAll(MARKS)) {
    if (mark === '<!--') opened = index + mark.length
    else if (mark !== '>') {
      if (opened >= 0 && index - opened <= NEAR_CHARS) told = index + mark.length
    } else {
      const close = index - 2
      if (told >= 0 && told <= close && close - told <= NEAR_CHARS && folded.startsWith('--', close)) return true
      opened = -1
      told = -1
    }
  }
  return false
}

export interface ThreatPattern {
  readonly id: string
  readonly scope: ThreatScope
  readonly isIn: (text: ThreatText) => boolean
}

const holds =
  (pattern: RegExp) =>
  ({ folded }: ThreatText): boolean =>
    pattern.test(folded)

/** At most 2,048 characters of free text without a line end between the two. */
const onOneLine =
  (opening: RegExp, closing: RegExp) =>
  ({ folded }: ThreatText): boolean =>
    hasWindow(folded, { opening, closing, maxChars: 2048, sameLine: true })

/** At most 512 characters of any kind between the two. */
const nearby =
  (opening: RegExp, closing: RegExp) =>
  ({ folded }: ThreatText): boolean =>
    hasWindow(folded, { opening, closing, maxChars: 512, sameLine: false })

const either =
  (...tests: readonly ThreatPattern['isIn'][]) =>
  (text: ThreatText): boolean =>
    tests.some((test) => test(text))

const INTO_AND_RUN = 'into(?=\\s+(?:\\S+\\s+){1,3}and\\s+(?:execute|run|eval)\\b)'
const TO_ADDRESS = '(?:to|at)\\s+https?://'
const SECRET_VARIABLE = /\$\{?\w*?(?:key|token|secret|password|credential)s?\b/g
const CHANGES = /(?:update|modify|edit|write|change|append|add\s+to)\s+/g

/** Commands and verbs that copy to or from a place; `chmod` and `mkdir` alone do not. */
const WRITES = new RegExp(
  `\\b(?:${[
    ...['cat', 'tee', 'cp', 'mv', 'scp', 'rsync', 'dd', 'ln', 'sed', 'tar', 'zip', 'curl', 'wget', 'base64', 'clone', 'install'],
    ...['write', 'append', 'add', 'insert', 'inject', 'put', 'place', 'drop', 'save', 'copy', 'move', 'create', 'replace', 'overwrite'],
    ...['edit', 'modify', 'update', 'change', 'upload', 'download', 'exfiltrate'],
  ].join('|')})\\b|\\bopen\\(|>`,
  'g',
)

const SECRET = /(?:api[_-]?key|token|secret|password)\s*[=:]\s*["'](?=[a-z0-9+/=_-]{20})/g
/** A quoted NAME_LIKE_THIS says where a secret is stored, and is not the secret. */
const VARIABLE_NAME = /[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+["']/y

const hasHardcodedSecret = ({ folded, cased }: ThreatText): boolean => {
  let original: string | undefined
  for (const match of folded.matchAll(SECRET)) {
    original ??= cased()
    VARIABLE_NAME.lastIndex = match.index + match[0].length
    if (!VARIABLE_NAME.test(original)) return true
  }
  return false
}

export const THREAT_PATTERNS: readonly ThreatPattern[] = [
  { id: 'html_comment_injection', scope: 'all', isIn: hasTellingComment },
  { id: 'hidden_div', scope: 'all', isIn: nearby(/<\s*div\s+style\s*=\s*["']/g, /display\s*:\s*none/g) },
  {
    id: 'translate_execute',
    scope: 'all',
    isIn: either(onOneLine(/translate\s+/g, new RegExp(`\\s${INTO_AND_RUN}`, 'g')), holds(new RegExp(`translate\\s{2,}${INTO_AND_RUN}`))),
  },
  { id: 'exfil_curl', scope: 'all', isIn: onOneLine(/curl\s+/g, SECRET_VARIABLE) },
  { id: 'exfil_wget', scope: 'all', isIn: onOneLine(/wget\s+/g, SECRET_VARIABLE) },
  { id: 'read_secrets', scope: 'all', isIn: onOneLine(/cat\s+/g, /\.env|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc/g) },
  { id: 'known_c2_framework', scope: 'context', isIn: holds(/\b(?:cobalt\s*strike|sliver|havoc|mythic|metasploit|brainworm)\b/) },
  {
    id: 'send_to_url',
    scope: 'strict',
    isIn: either(
      onOneLine(/(?:send|post|upload|transmit)\s+/g, new RegExp(`\\s${TO_ADDRESS}`, 'g')),
      holds(new RegExp(`(?:send|post|upload|transmit)\\s{2,}${TO_ADDRESS}`)),
    ),
  },
  { id: 'ssh_backdoor', scope: 'strict', isIn: holds(/authorized_keys/) },
  { id: 'ssh_access', scope: 'strict', isIn: nearby(WRITES, /(?:~|\$home)\/\.ssh/g) },
  { id: 'hermes_env', scope: 'strict', isIn: holds(/(?:~|\$home)\/\.hermes\/\.env/) },
  { id: 'agent_config_mod', scope: 'strict', isIn: onOneLine(CHANGES, /agents\.md|claude\.md|\.cursorrules|\.clinerules/g) },
  { id: 'hermes_config_mod', scope: 'strict', isIn: onOneLine(CHANGES, /\.hermes\/(?:config\.yaml|soul\.md)/g) },
  { id: 'hardcoded_secret', scope: 'strict', isIn: hasHardcodedSecret },
]
