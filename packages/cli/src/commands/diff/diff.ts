/** `hermes diff`: what the frozen text of a session has gained against that of an earlier one. */
import type { Hermes } from '@hermes/core'
import type { SessionSummary } from '@hermes/core/journal'
import { estimateTokens } from '@hermes/core/review'
import { type Answer, failed } from '../../answer.ts'
import { defineCommand } from '../../command.ts'
import type { Context } from '../../context.ts'
import { findById } from '../../find-by-id.ts'
import { cleanText, oneLine } from '../../terminal/clean-text.ts'
import { formatCount } from '../../terminal/gauge.ts'
import { hint } from '../../terminal/hint.ts'
import { relativeTime } from '../../terminal/relative-time.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { wrapText } from '../../terminal/wrap-text.ts'
import { type Change, compareBlocks } from './compare-blocks.ts'
import type { Part } from './read-block.ts'

interface Side {
  /** `now`: the text that a session would freeze that starts now. */
  readonly id: string
  /** Epoch milliseconds. */
  readonly startedAt: number
  readonly block: string
}

interface Pair {
  readonly older: Side
  readonly newer: Side
}

const NOW = 'now'

const isAnswer = (value: object): value is Answer => 'failure' in value

const readSide = async (hermes: Hermes, { id, startedAt }: Pick<Side, 'id' | 'startedAt'>): Promise<Side | Answer> => {
  const stored = await hermes.sessions.get(id)
  if (!stored.ok) return failed(stored.error)
  return { id, startedAt, block: stored.value?.block ?? '' }
}

const presentSide = async (hermes: Hermes, { clock }: Context): Promise<Side> => ({
  id: NOW,
  startedAt: clock(),
  block: await hermes.sessions.nextBlock(),
})

const NEWEST_SHOWN = 3

/** `sessions`: newest first. */
const noSuchSession = (name: string, sessions: readonly SessionSummary[]): string => {
  const newest = sessions.slice(0, NEWEST_SHOWN).map(({ id }) => oneLine(id))
  const there = newest.length === 0 ? 'There is no session yet.' : `The newest are ${newest.join(', ')}.`
  return `There is no session '${oneLine(name).slice(0, 80)}'. ${there}`
}

const findSide = async (hermes: Hermes, name: string, sessions: readonly SessionSummary[], context: Context): Promise<Side | Answer> => {
  if (name === NOW && !sessions.some(({ id }) => id === NOW)) return presentSide(hermes, context)
  // The list ends after seven days; records are kept for longer.
  const stored = await hermes.sessions.get(name)
  if (stored.ok && stored.value) return stored.value
  const found = findById(sessions, name, 'hermes diff')
  if (found.ok) return readSide(hermes, found.value)
  return failed(found.error.code === 'not_found' ? { ...found.error, message: noSuchSession(name, sessions) } : found.error)
}

/** The newest session before `newer` whose text differs; the text of the present if there is none before. */
const findBefore = async (hermes: Hermes, newer: Side, sessions: readonly SessionSummary[]): Promise<Side | Answer | undefined> => {
  for (const session of sessions) {
    if (session.id === newer.id || session.startedAt > newer.startedAt) continue
    const side = await readSide(hermes, session)
    if (isAnswer(side) || side.block !== newer.block) return side
  }
  return undefined
}

const byStart = (one: Side, other: Side): Pair =>
  one.startedAt <= other.startedAt ? { older: one, newer: other } : { older: other, newer: one }

const NO_SESSIONS = "There is no session to compare yet. An agent's first session freezes the text of its prompt."

const choosePair = async (hermes: Hermes, names: readonly string[], context: Context): Promise<Pair | Answer> => {
  const listed = await hermes.sessions.list()
  if (!listed.ok) return failed(listed.error)
  const sessions = listed.value.toSorted((a, b) => b.startedAt - a.startedAt)
  const [first, second] = names
  if (first !== undefined && second !== undefined) {
    const one = await findSide(hermes, first, sessions, context)
    const other = isAnswer(one) ? one : await findSide(hermes, second, sessions, context)
    if (isAnswer(one)) return one
    return isAnswer(other) ? other : byStart(one, other)
  }
  const [newest] = sessions
  if (first === undefined && newest === undefined) return failed({ code: 'not_found', message: NO_SESSIONS })
  const newer = await (first === undefined && newest ? readSide(hermes, newest) : findSide(hermes, first ?? NOW, sessions, context))
  if (isAnswer(newer)) return newer
  const older = await findBefore(hermes, newer, sessions)
  if (older && isAnswer(older)) return older
  if (older) return { older, newer }
  // Nothing came before it: what will the next session have?
  return newer.id === NOW
    ? failed({ code: 'not_found', message: NO_SESSIONS })
    : { older: newer, newer: await presentSide(hermes, context) }
}

const TITLES: Readonly<Record<Part, string>> = {
  memory: "MEMORY.md, the agent's own notes",
  user: 'USER.md, what it knows about you',
  skill: 'Skills',
  other: 'Other text',
}

const MARKS = { gained: '+', lost: '-', changed: '~' } as const

const INDENT = 4

const renderChange = ({ kind, what, before, text = '', outside, part }: Change, { columns, paint }: Terminal): string => {
  const colour = kind === 'gained' ? paint.green : kind === 'lost' ? paint.red : paint.yellow
  const line = (mark: string, told: string): string => `  ${mark} ${wrapText(cleanText(told), columns, INDENT)}\n`
  const from = outside ? ' (from outside)' : ''
  const head = part === 'skill' && text !== '' && kind !== 'lost' ? `${what}: ${text}` : what
  const former =
    before === undefined || before === '' || before === (part === 'skill' ? text : what)
      ? ''
      : paint.dim(`    was: ${wrapText(cleanText(before), columns, INDENT + 5)}\n`)
  return colour(line(MARKS[kind], `${head}${from}`)) + former
}

const sideName = ({ id, startedAt }: Side, now: number): string =>
  id === NOW ? 'a session that starts now' : `${oneLine(id)} (${relativeTime(startedAt, now)})`

const signed = (number: number): string => (number < 0 ? `-${formatCount(-number)}` : `+${formatCount(number)}`)

const sizesOf = ({ older, newer }: Pair) => ({
  chars: [...newer.block].length - [...older.block].length,
  tokens: estimateTokens(newer.block) - estimateTokens(older.block),
})

const summarise = (pair: Pair, changes: readonly Change[]): string => {
  const count = (kind: Change['kind']): number => changes.filter((change) => change.kind === kind).length
  const { chars, tokens } = sizesOf(pair)
  return `${count('gained')} gained, ${count('changed')} changed, ${count('lost')} lost; ${signed(chars)} characters, about ${signed(tokens)} tokens.`
}

const render = (pair: Pair, changes: readonly Change[], now: number, terminal: Terminal): string => {
  const { paint, columns } = terminal
  const head = `${wrapText(`From ${sideName(pair.older, now)} to ${sideName(pair.newer, now)}`, columns)}\n`
  if (changes.length === 0) return `${head}${hint('Both have the same entries and skills.', terminal)}`
  const parts = (['memory', 'user', 'skill', 'other'] as const).map((part) => {
    const own = changes.filter((change) => change.part === part)
    return own.length === 0 ? '' : `\n${paint.bold(TITLES[part])}\n${own.map((change) => renderChange(change, terminal)).join('')}`
  })
  return `${head}${parts.join('')}\n${hint(summarise(pair, changes), terminal)}`
}

const run = async (names: readonly string[], context: Context): Promise<Answer> => {
  const { openHermes } = await import('../../open-hermes.ts')
  const pair = await choosePair(openHermes(context), names, context)
  if (isAnswer(pair)) return pair
  const changes = compareBlocks(pair.older.block, pair.newer.block)
  const toValue = ({ id, startedAt, block }: Side) => ({ id, startedAt, chars: [...block].length, tokens: estimateTokens(block) })
  return {
    value: { older: toValue(pair.older), newer: toValue(pair.newer), changes, ...sizesOf(pair) },
    text: (terminal) => render(pair, changes, context.clock(), terminal),
  }
}

export const diffCommand = defineCommand<{ readonly session: string | undefined; readonly other: string | undefined }>({
  usage: 'diff [session] [other]',
  describe: 'Show what the prompt of a session has gained and lost against an earlier one: entries and skills.',
  examples: [
    ['hermes diff', 'the newest session against the last one with another prompt'],
    ['hermes diff now', 'what a session that starts now would have more'],
    ['hermes diff chat-41 chat-42', 'two sessions; the beginning of an id is enough'],
  ],
  onlyReads: true,
  options: (parser) =>
    parser
      .positional('session', { type: 'string', describe: 'the id of a session, or now; default: the newest session' })
      .positional('other', { type: 'string', describe: 'what to compare it with; default: the last one before it with another prompt' }),
  run: ({ session, other }, context) =>
    run(
      [session, other].filter((name) => name !== undefined),
      context,
    ),
})
