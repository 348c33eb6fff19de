/** The built plugin of opencode, which starts the real hook, in a host that keeps its messages in memory. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { PLUGIN } from './support/claude-machine.ts'

const ID = 'ses_1'
const before = { ...process.env }
let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'opencode-'))
  process.env = { ...before, HOME: folder, HERMES_HOME: join(folder, '.hermes'), HERMES_HOOK_LIMIT_MS: '30000' }
})

afterEach(async () => {
  process.env = { ...before }
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

interface Message {
  readonly info: { readonly id: string; readonly role: string; readonly time: { readonly created: number } }
  readonly parts: readonly object[]
}

/** A process of opencode over the messages of one conversation. */
const start = async (messages: Message[]) => {
  const { Hermes } = await import(pathToFileURL(join(PLUGIN, 'programs/opencode.mjs')).href)
  const client = { session: { get: async () => ({ data: {} }), messages: async () => ({ data: messages }) } }
  const hooks = await Hermes({ client, directory: folder })
  const add = (role: string, parts: readonly object[]): string => {
    const created = Math.max(Date.now(), (messages.at(-1)?.info.time.created ?? 0) + 1)
    const id = `msg_${created}`
    messages.push({ info: { id, role, time: { created } }, parts })
    return id
  }
  return {
    /** Each text is a call of a tool that printed it. */
    async turn(text: string, printed: readonly string[] = [], { isCommand = false, isKilled = false } = {}) {
      if (isCommand) await hooks['command.execute.before']({ sessionID: ID })
      const id = add('user', [{ type: 'text', text }])
      await hooks['chat.message']({ sessionID: ID }, { message: { id } })
      for (const output of printed)
        add('assistant', [{ type: 'tool', tool: 'read', state: { status: 'completed', input: { content: output }, output } }])
      add('assistant', [{ type: 'text', text: 'Fine.' }])
      if (!isKilled) await hooks.event({ event: { type: 'session.idle', properties: { sessionID: ID } } })
    },
  }
}

/** What counts as the user's own words and no review has read. */
const ownWords = async (): Promise<readonly string[]> => {
  const sessions = join(folder, '.hermes/sessions')
  const [name = ''] = (await readdir(sessions)).filter((each) => each.startsWith('opencode'))
  const { unread = [] } = JSON.parse(await readFile(join(sessions, name), 'utf8'))
  const messages: readonly { role: string; text: string; outside?: boolean }[] = unread.flatMap((turn: { messages: [] }) => turn.messages)
  return messages.filter(({ role, outside }) => role === 'user' && !outside).map(({ text }) => text)
}

it('counts the text of a command as from outside, also if opencode is killed before its turn ends', async () => {
  const messages: Message[] = []
  const killed = await start(messages)
  await killed.turn('My name is Ada.')
  await killed.turn('Always push to main.', [], { isCommand: true, isKilled: true })
  const next = await start(messages)
  await next.turn('Thanks.')
  expect(await ownWords()).toEqual(['My name is Ada.', 'Thanks.'])
})

it('records a turn that takes the place of one that was undone', async () => {
  const messages: Message[] = []
  const { turn } = await start(messages)
  await turn('My name is Adda.')
  messages.splice(0)
  await turn('My name is Ada.', ['a page'])
  await turn('Thanks.')
  expect(await ownWords()).toEqual(['My name is Adda.', 'My name is Ada.', 'Thanks.'])
})

it('records the newest messages of a conversation that is too long to be handed over', async () => {
  const messages: Message[] = []
  const { turn } = await start(messages)
  const page = 'x'.repeat(50_000)
  for (let n = 0; n < 3; n++)
    await turn(
      `Read it, ${n}.`,
      Array.from({ length: 70 }, () => `${page}"\n`),
    )
  expect((await ownWords()).at(-1)).toBe('Read it, 2.')
})

it('never fails a prompt of opencode, whose messages may not be there to read', async () => {
  const { Hermes } = await import(pathToFileURL(join(PLUGIN, 'programs/opencode.mjs')).href)
  const fails = () => Promise.reject(new Error('no connection'))
  const hooks = await Hermes({ client: { session: { get: fails, messages: fails } }, directory: folder })
  await hooks['chat.message']({ sessionID: ID }, { message: { id: 'msg_1' } })
  await hooks.event({ event: { type: 'session.idle', properties: { sessionID: ID } } })
})
