/** Plays the demo of the chat agent in a pseudo terminal: two sessions, each a process of its own, over one home. */
import { mkdir, readFile, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openPty, type Span } from '../support/pty.ts'
import type { Recording, Row } from './animated-svg.ts'

const AGENT = fileURLToPath(new URL('../../examples/chat-agent/', import.meta.url))
const SESSIONS = ['first-session', 'next-session'] as const
const COMMAND = 'npx -y pnpm@12 chat'

const COLUMNS = 80
const HEIGHT = 27
const PROMPT = /^(?:review in \d+ )?>$/

const KEY_MS = 35
const ROW_MS = 80
/** To read a row: a moment, and more the longer it is. */
const READ_MS = 100
const READ_CHAR_MS = 7
const BEFORE_TYPING_MS = 400
const LAST_MS = 6_000

/** For what the chat says of itself at its start. */
const HEADER_MS = 1_500

const lengthOf = (spans: readonly Span[]): number => spans.reduce((sum, { text }) => sum + text.length, 0)

/** What was typed, and the rows that came of it; the first is the prompt. */
interface Exchange {
  readonly prompt: readonly Span[]
  readonly typed: string
  readonly answer: readonly (readonly Span[])[]
  /** Milliseconds to read the answer. */
  readonly readMs: number
}

const readingTime = (rows: readonly (readonly Span[])[]): number =>
  rows.reduce((sum, spans) => sum + READ_MS + lengthOf(spans) * READ_CHAR_MS, 0)

const playSession = async (name: string, home: string): Promise<readonly Exchange[]> => {
  const inputs = (await readFile(join(AGENT, 'demo', `${name}.txt`), 'utf8')).trim().split('\n')
  const folder = join(home, 'hermes')
  await mkdir(folder, { recursive: true })
  const args = [join(AGENT, 'src/main.ts'), '--session', name]
  const pty = openPty({ args, env: { HOME: home, FORCE_COLOR: '1' }, cwd: folder, columns: COLUMNS, rows: 100 })
  const exchanges: Exchange[] = []
  try {
    const shell = [{ text: '$ ', style: 'dim' }] as const
    await pty.waitFor(/\n(?:review in \d+ )?>$/)
    const first = pty.styledLines().length - 1
    exchanges.push({ prompt: shell, typed: COMMAND, answer: pty.styledLines().slice(0, first), readMs: HEADER_MS })
    let from = first
    for (const typed of inputs) {
      const prompt = pty.styledLines()[from] ?? []
      if (!PROMPT.test(pty.lines()[from] ?? '')) throw new Error(`No prompt in row ${from}:\n${pty.lines().join('\n')}`)
      pty.type(`${typed}\r`)
      if (typed === '/quit') await pty.exited
      else await pty.waitFor(/\n(?:review in \d+ )?>$/, { from: from + 1 })
      const rows = pty.styledLines()
      const end = typed === '/quit' ? rows.length : rows.length - 1
      // The prompt's last blank is cut off where nothing follows.
      const answer = rows.slice(from + 1, end)
      exchanges.push({ prompt: [...prompt, { text: ' ', style: 'plain' }], typed, answer, readMs: readingTime(answer) })
      from = end
    }
  } finally {
    pty.kill()
  }
  return exchanges
}

/** Times are made up, so that the same text always gives the same picture. */
const toRows = (exchanges: readonly Exchange[]): { readonly rows: readonly Row[]; readonly end: number } => {
  const rows: Row[] = []
  let now = 300
  for (const { prompt, typed, answer, readMs } of exchanges) {
    const from = now + BEFORE_TYPING_MS
    const until = from + typed.length * KEY_MS
    rows.push({ spans: prompt, at: now, typed: { text: typed, from, until } })
    now = until + 300
    for (const spans of answer) {
      rows.push({ spans, at: now })
      now += ROW_MS
    }
    now += readMs
  }
  return { rows, end: now }
}

const DESCRIPTION =
  'A chat in a terminal: the agent learns a name, a home and how to split bills; an order in a web page is held for a decision; the next session knows what was learned and is corrected.'

/** `home`: an empty folder, the person's own; Hermes keeps everything in its `.hermes`. */
export const recordDemo = async (home: string): Promise<Recording> => {
  const exchanges: Exchange[] = []
  // A folder of temporary files may be a link; the chat shows the path that the system names.
  const person = await realpath(home)
  for (const name of SESSIONS) exchanges.push(...(await playSession(name, person)))
  const { rows, end } = toRows(exchanges)
  return { rows, duration: end + LAST_MS, columns: COLUMNS, height: HEIGHT, description: DESCRIPTION }
}
