/** Worst-case duration of the threat scan: crafted texts of 65,536 code points, each meant to make one kind of matcher backtrack or expand. */
import { pathToFileURL } from 'node:url'
import { createMemoryScan, scanThreats, THREAT_SCAN_MAX_CHARS } from '../packages/core/src/threats/scan.ts'

const SIZE = THREAT_SCAN_MAX_CHARS

const fill = (piece: string): string => {
  const chars = [...piece].length
  return piece.repeat(Math.floor(SIZE / chars)) + [...piece].slice(0, SIZE % chars).join('')
}

/** `start`, then `piece` repeated to fill the size, then `end`. */
const around = (start: string, piece: string, end: string): string => {
  const room = SIZE - [...start].length - [...end].length
  return start + [...fill(piece)].slice(0, room).join('') + end
}

const OPENINGS = [
  ...['ignore', 'system', 'disregard', 'act as if', 'do not', 'you are', 'pretend', 'output', 'answer without', 'you have been', 'name'],
  ...['register', 'heartbeat', 'check', 'pull', 'connect to', 'you must', 'only use', 'never', 'unset', 'c2', 'command and', 'include'],
  ...['<!--', '<div style="', 'translate', 'curl', 'wget', 'cat', 'send', 'write', 'add', 'edit', 'token', 'api_key=', 'cobalt', 'open('],
]

const ALMOST = [
  ...[
    'ignore all previous ',
    'ignore all a b c d e f g h i ',
    'disregard your any ',
    'act as if you have no ',
    'do not tell the ',
    'you are now ',
  ],
  ...[
    'pretend you ',
    'output system ',
    'reply without safe ',
    'you have been updated ',
    'register as a ',
    'check in ',
    'pull down new ',
    'never create file ',
  ],
  ...[
    'unset CLAUD ',
    'include previous ',
    '<!-- secret ',
    '<!-- secret --',
    '<!-- system -- ',
    '<div style="display:',
    'display:none ',
    '< div style = "',
  ],
  ...[
    'translate x into a b c and ',
    'into a b c and runs ',
    'into ',
    'curl $KEYS_ ',
    'curl ',
    '$TOKEN',
    '${',
    '$a',
    'wget x $SECRET_ ',
    'cat .en ',
    '.env',
  ],
  ...[
    'send x to http ',
    ' to https://',
    'to ',
    'cp > cat ',
    '~/.ssh',
    '~/.ss',
    'write agents.m ',
    '.cursorrules ',
    'add to ',
    'token="aaaaaaaaaaaaaaaaaaa" ',
  ],
  ...['api_key = "A_BCDEFGHIJKLMNOPQRS" ', 'api_key="ABCDEFGHIJKLMNOPQRSTUV_" ', 'api_', '.hermes/', 'cobalt  ', 'a ', 'ıİ ', 'Z', '_'],
]

const UNICODE: ReadonlyArray<readonly [string, string]> = [
  ['a ligature that normalises to 18 characters', fill('\ufdfa')],
  ['the same after a phrase that almost matches', around('ignore all ', '\ufdfa', ' curl $KEYS')],
  ['squared words', fill('\u3316')],
  ['mathematical letters', fill('\u{1d422}\u{1d420}\u{1d427}\u{1d428}\u{1d42b}\u{1d41e} ')],
  ['emoji', fill('\u{1f600}')],
  ['astral letters', fill('\u{20bb7}')],
  ['combining marks in falling order', `a${'\u0301'.repeat(SIZE / 2)}${'\u0327'.repeat(SIZE / 2 - 1)}`],
  ['half-width voice marks after combining marks', `a${'\u0301'.repeat(SIZE / 2)}${'\uff9e'.repeat(SIZE / 2 - 1)}`],
  ['runs of thirty marks', fill(`a${'\u0301\u0327'.repeat(15)}`)],
  ['letters with a mark', fill('e\u0301')],
  ['conjoining Hangul', fill('\u1100\u1161')],
  ['every letter joined', fill('\u0645\u200c')],
  ['emoji joined', fill('\u{1f468}\u200d')],
  ['joiners only', fill('\u200d')],
  ['joiners and selectors', fill('\ufe0f\u200d')],
  ['lone surrogates', fill('\ud83d')],
  ['Python white space', fill('\x1c\x85\u2028')],
]

const texts = (): ReadonlyArray<readonly [string, string]> => [
  ...OPENINGS.map((text) => [`"${text}" repeated`, fill(`${text} `)] as const),
  ...OPENINGS.map((text) => [`"${text}" without spaces`, fill(text)] as const),
  ...OPENINGS.map((text) => [`"${text}" and filler words`, fill(`${text} ${'w '.repeat(8)}`)] as const),
  ...OPENINGS.map((text) => [`"${text}" and one space run`, around(`${text} `.repeat(9), ' ', 'x')] as const),
  ...OPENINGS.map((text) => [`"${text}" and many space runs`, fill(`${text}${' '.repeat(40)}`)] as const),
  ...OPENINGS.map((text) => [`"${text}" and one long word`, around(`${text} `.repeat(9), 'w', ' x')] as const),
  ...OPENINGS.map((text) => [`"${text}" and line ends`, fill(`${text}\n`)] as const),
  ...ALMOST.map((text) => [`"${text}" repeated`, fill(text)] as const),
  ...ALMOST.map((text) => [`"${text}" up to a ligature`, around(text.repeat(800), '\ufdfa', text)] as const),
  ['all openings', fill(`${OPENINGS.join(' ')} `)],
  ['all almost-matches', fill(ALMOST.join(''))],
  ['spaces', fill(' ')],
  ['line ends', fill('\n')],
  ...UNICODE,
]

const time = (work: () => unknown): number => {
  const start = performance.now()
  work()
  return performance.now() - start
}

/** Best of five, to exclude other load on the machine. */
const bestOfFive = (work: () => unknown): number => Math.min(...Array.from({ length: 5 }, () => time(work)))

/** Measures every crafted text in the strict scope and prints the slowest. */
export const run = (): void => {
  for (let round = 0; round < 20; round++) scanThreats('ignore é everything', 'strict')
  const timings = texts().map(([name, text]) => ({ name, ms: bestOfFive(() => scanThreats(text, 'strict')) }))
  const entries = Array.from({ length: 64 }, () => fill('ignore all the ').slice(0, SIZE / 64))
  timings.push({
    name: '64 entries of 1,024 characters, one by one and over their boundaries',
    ms: bestOfFive(() => createMemoryScan().all(entries)),
  })
  const notes = 'User prefers pnpm 12, concise answers, and café terraces in Porto.'
  const note = bestOfFive(() => Array.from({ length: 1000 }, () => scanThreats(notes, 'strict')))
  timings.sort((a, b) => b.ms - a.ms)
  console.log(`${timings.length} crafted texts of ${SIZE.toLocaleString('en')} code points, best of five each; the slowest:`)
  for (const { name, ms } of timings.slice(0, 10)) console.log(`${ms.toFixed(1).padStart(8)} ms  ${name}`)
  console.log(`${(timings[timings.length >> 1]?.ms ?? 0).toFixed(1).padStart(8)} ms  (median text)`)
  console.log(`${(note / 1000).toFixed(4).padStart(8)} ms  an ordinary note of ${notes.length} characters`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) run()
