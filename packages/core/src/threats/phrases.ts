/** The phrases of the threat scan, their notation and their scopes (reference hermes-memory 7): words in order, with a limited number of filler words between them. */

/** How a word must match its white-space delimited token. */
type WordFit =
  | 'whole' // the token is the word
  | 'spaced' // `word_`: the same, followed by white space
  | 'ends' // `*word`: the token ends with it
  | 'ends-word' // `^word`: the same, not preceded by a word character
  | 'begins' // `word*`: the token begins with it
  | 'begins-word' // `word$`: the same, not followed by a word character
  | 'holds' // `*word*`: the leading word characters of the token contain it
  | 'any' // `<word>`: the token begins with any word

export interface PhraseStep {
  readonly fit: WordFit
  /** Alternatives. */
  readonly words: readonly string[]
  /** Maximum filler words (letters, digits and underscores only) before it. */
  readonly gap: number
}

/** Maximum filler words for `…`. */
const FILLER_WORDS = 8

const toFit = (head: string, tail: string): WordFit => {
  if (head === '*') return tail === '*' ? 'holds' : 'ends'
  if (head === '^') return 'ends-word'
  if (tail === '*') return 'begins'
  if (tail === '$') return 'begins-word'
  return tail === '_' ? 'spaced' : 'whole'
}

const toStep = (text: string, gap: number): PhraseStep => {
  if (text === '<word>') return { fit: 'any', words: [], gap }
  const [, head = '', words = '', tail = ''] = /^([*^]?)(.*?)([*$_]?)$/.exec(text) ?? []
  return { fit: toFit(head, tail), words: words.split('|'), gap }
}

/**
 * Parses `*ignore … all|prior … instructions*`: `…` is up to eight filler words, `…3` up to three, `[as]` an optional word. Returns one
 * list of steps for each choice of the optional words.
 */
export const parsePhrase = (notation: string): ReadonlyArray<readonly PhraseStep[]> => {
  const [optional, word] = /\[([^\]]*)\] /.exec(notation) ?? []
  if (optional !== undefined)
    return [...parsePhrase(notation.replace(optional, '')), ...parsePhrase(notation.replace(optional, `${word} `))]
  const steps: PhraseStep[] = []
  let gap = 0
  for (const part of notation.split(' ')) {
    if (part.startsWith('…')) gap = part === '…' ? FILLER_WORDS : Number(part.slice(1))
    else {
      steps.push(toStep(part, gap))
      gap = 0
    }
  }
  return [steps]
}

/** Cumulative: `context` includes `all`, `strict` includes `context`. Memory uses `strict`. */
export type ThreatScope = 'all' | 'context' | 'strict'

const RANK: Readonly<Record<ThreatScope, number>> = { all: 0, context: 1, strict: 2 }

/** Whether a scan in the scope `asked` includes a pattern of the scope `own`. Throws on an unknown scope, since it would find nothing. */
export const isInScope = (own: ThreatScope, asked: ThreatScope): boolean => {
  if (!Object.hasOwn(RANK, asked)) throw new TypeError(`Unknown threat scope ${JSON.stringify(asked)}: use 'all', 'context' or 'strict'.`)
  return RANK[own] <= RANK[asked]
}

export interface ThreatPhrase {
  readonly id: string
  readonly scope: ThreatScope
  /** Any of them makes the finding. */
  readonly notations: readonly string[]
}

export const THREAT_PHRASES: readonly ThreatPhrase[] = [
  { id: 'prompt_injection', scope: 'all', notations: ['*ignore … previous|all|above|prior … instructions*'] },
  { id: 'sys_prompt_override', scope: 'all', notations: ['*system prompt override*'] },
  { id: 'disregard_rules', scope: 'all', notations: ['*disregard … your|all|any … instructions|rules|guidelines*'] },
  {
    id: 'bypass_restrictions',
    scope: 'all',
    notations: [
      '*act as if|though … you … have no … restrictions|limits|rules*',
      "*act as if|though … you … don't have … restrictions|limits|rules*",
    ],
  },
  { id: 'deception_hide', scope: 'all', notations: ['*do not … tell … the user*'] },
  { id: 'role_hijack', scope: 'context', notations: ['*you are … now a|an|the_'] },
  { id: 'role_pretend', scope: 'context', notations: ['*pretend … you are_', '*pretend … to be_'] },
  { id: 'leak_system_prompt', scope: 'context', notations: ['*output … system|initial prompt*'] },
  { id: 'remove_filters', scope: 'context', notations: ['*respond|answer|reply without … restrictions|limitations|filters|safety*'] },
  { id: 'fake_update', scope: 'context', notations: ['*you have been … updated|upgraded|patched to*'] },
  { id: 'identity_override', scope: 'context', notations: ['^name yourself <word>'] },
  { id: 'c2_node_registration', scope: 'context', notations: ['*register [as] [a] node*'] },
  { id: 'c2_heartbeat', scope: 'context', notations: ['*heartbeat|beacon|check-in|checkin to|with_', '*check in to|with_'] },
  { id: 'c2_task_pull', scope: 'context', notations: ['*pull [down] [new] task|tasks|tasking$'] },
  { id: 'c2_network_connect', scope: 'context', notations: ['*connect to the network$'] },
  { id: 'forced_action', scope: 'context', notations: ['*you must …3 register|connect|report|beacon$'] },
  {
    id: 'anti_forensic_oneliner',
    scope: 'context',
    notations: ['*only use one-liner|one-liners|oneliner|oneliners$', '*only use one liner|liners$'],
  },
  { id: 'anti_forensic_disk', scope: 'context', notations: ['*never … create|write … script|file … disk*'] },
  { id: 'env_var_unset_agent', scope: 'context', notations: ['*unset *claude|codex|hermes|agent|openai|anthropic*'] },
  { id: 'c2_explicit', scope: 'context', notations: ['^c2 server|channel|infrastructure|beacon$'] },
  { id: 'c2_explicit_long', scope: 'context', notations: ['^command and control$'] },
  {
    id: 'context_exfil',
    scope: 'strict',
    notations: [
      '*include|output|print|share … conversation*',
      '*include|output|print|share … chat history*',
      '*include|output|print|share … previous messages*',
      '*include|output|print|share … full|entire context*',
    ],
  },
]
