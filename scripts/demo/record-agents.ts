/** Plays how Claude Code is connected and remembers: the real programs in a pseudo terminal, over a scripted model at 127.0.0.1. */
import { realpath } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { claudeMachine } from '../../packages/coding-agents/test/support/claude-machine.ts'
import type { Script } from '../../packages/coding-agents/test/support/script.ts'
import { openPty, type Span } from '../support/pty.ts'
import type { Recording, Row } from './animated-svg.ts'

const HERMES = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url))
/** Node runs each program in the terminal. */
const RUN =
  "process.exitCode = require('node:child_process').spawnSync(process.argv[1], process.argv.slice(2), { stdio: 'inherit' }).status"

const COLUMNS = 96
const HEIGHT = 26
const KEY_MS = 35
const ROW_MS = 80
const READ_MS = 1_800
const LAST_MS = 6_000

const SAID = 'I prefer small commits. Remember that.'
const ASKED = 'How should you commit?'

/** It knows the preference only if the request shows it. */
const script: Script = ({ tools, isResult, last, body }) => {
  if (tools.length === 0) return '{"proposals":[]}'
  if (isResult) return 'Noted: you prefer small commits.'
  const memory = tools.find((tool) => tool.endsWith('__memory'))
  if (last.includes(SAID) && memory !== undefined)
    return [{ type: 'tool_use', name: memory, input: { action: 'add', target: 'user', content: 'Prefers small commits' } }]
  return JSON.stringify(body).includes('Prefers small commits') ? 'In small commits, as you prefer.' : 'I do not know.'
}

interface Command {
  readonly typed: string
  readonly args: readonly string[]
}

const claude = (text: string): Command => ({ typed: `claude -p "${text}"`, args: ['-e', RUN, 'claude', '-p', text] })
const hermes = (...args: readonly string[]): Command => ({ typed: `hermes ${args.join(' ')}`, args: [HERMES, ...args] })

const COMMANDS = [hermes('connect', 'claude-code', '--yes'), claude(SAID), claude(ASKED), hermes('memory', 'show')]

const PROMPT: readonly Span[] = [{ text: '$ ', style: 'dim' }]

/** The person's folder has another name in each recording. */
const withoutFolder = (rows: readonly (readonly Span[])[], folder: string): readonly (readonly Span[])[] =>
  rows.map((spans) => spans.map((span) => ({ ...span, text: span.text.replaceAll(folder, '~') })))

const play = async (): Promise<readonly { readonly typed: string; readonly shown: readonly (readonly Span[])[] }[]> => {
  const machine = await claudeMachine(script, { withPlugin: false })
  try {
    const folder = await realpath(machine.folder)
    const env = Object.fromEntries(Object.entries(machine.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
    const played: { typed: string; shown: readonly (readonly Span[])[] }[] = []
    for (const { typed, args } of COMMANDS) {
      const pty = openPty({ args, env: { ...env, FORCE_COLOR: '1' }, cwd: machine.project, columns: COLUMNS, rows: 60 })
      const code = await pty.exited
      if (code !== 0) throw new Error(`'${typed}' ended with ${code}:\n${pty.lines().join('\n')}`)
      played.push({ typed, shown: withoutFolder(pty.styledLines(), folder) })
    }
    return played
  } finally {
    await machine.remove()
  }
}

const DESCRIPTION =
  'A terminal: hermes connect shows what it changes in Claude Code; one session is told a preference, the next one knows it, and hermes memory show lists it.'

/** Times are made up, so that the same text always gives the same picture. */
export const recordAgents = async (): Promise<Recording> => {
  const rows: Row[] = []
  let now = 300
  for (const { typed, shown } of await play()) {
    const until = now + 400 + typed.length * KEY_MS
    rows.push({ spans: PROMPT, at: now, typed: { text: typed, from: now + 400, until } })
    now = until + 300
    for (const spans of shown) {
      rows.push({ spans, at: now })
      now += ROW_MS
    }
    now += READ_MS
  }
  return { rows, duration: now + LAST_MS, columns: COLUMNS, height: HEIGHT, description: DESCRIPTION }
}
