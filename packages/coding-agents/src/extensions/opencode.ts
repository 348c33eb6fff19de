/** The plugin of opencode: shows the block behind its system prompt, and records each turn, with the messages that opencode keeps in its database. */
import { callHook } from './call-hook.ts'

/** Newest messages of a conversation that are looked at. */
const MAX_MESSAGES = 200
/** Maximum characters of one text in them. */
const MAX_TEXT = 20_000
/** Maximum characters of all of them as JSON: the hook reads no more than 4 million. */
const MAX_CHARS = 3_000_000

interface Message {
  readonly info: { readonly id: string; readonly time: { readonly created: number } }
}
/** What it uses of opencode. */
interface Input {
  readonly directory: string
  readonly client: {
    readonly session: {
      get(options: { path: { id: string } }): Promise<{ data?: { parentID?: string } }>
      messages(options: { path: { id: string } }): Promise<{ data?: readonly Message[] }>
    }
  }
}
interface Occurrence {
  readonly event: { readonly type: string; readonly properties: { readonly sessionID?: string } }
}

const cut = (_: string, value: unknown): unknown => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : value)

/** The newest messages that are not too long together; null stands for each older one. */
const rowsOf = (messages: readonly Message[], typed: ReadonlySet<string>): readonly unknown[] => {
  const newest: unknown[] = []
  let chars = 0
  for (const message of messages.slice(-MAX_MESSAGES).toReversed()) {
    const row = JSON.stringify({ ...message, at: message.info.time.created, isTyped: typed.has(message.info.id) }, cut)
    chars += row.length
    if (chars > MAX_CHARS) break
    newest.unshift(JSON.parse(row))
  }
  return [...Array.from({ length: messages.length - newest.length }, () => null), ...newest]
}

export const Hermes = async ({ client, directory }: Input) => {
  const blocks = new Map<string, Promise<string>>()
  /** Sessions whose next message is the text of a command. */
  const commands = new Set<string>()
  /** Messages that a person wrote in this process: of one from before, nobody knows any more whether a command did. */
  const typed = new Set<string>()
  const recorded = new Set<string>()

  const call = (event: string, id: string, more = {}) => callHook('opencode', event, { session_id: id, cwd: directory, ...more })

  /** Undefined if they cannot be read: opencode goes on, and they are recorded with the next turn. */
  const messagesOf = async (id: string): Promise<readonly Message[] | undefined> => {
    const path = { path: { id } }
    try {
      const { data: session } = await client.session.get(path)
      // What sub-agents do among themselves is no turn.
      return session?.parentID === undefined ? (await client.session.messages(path)).data : []
    } catch {
      return undefined
    }
  }

  const record = async (id: string): Promise<void> => {
    const messages = await messagesOf(id)
    if (messages === undefined || messages.length === 0) return
    recorded.add(id)
    await call('Stop', id, { rows: rowsOf(messages, typed) })
  }

  const show = (id: string, source: string): Promise<string> => {
    const block = call('SessionStart', id, { source })
    blocks.set(id, block)
    return block
  }

  return {
    'command.execute.before': async ({ sessionID }: { sessionID: string }) => {
      commands.add(sessionID)
    },
    'chat.message': async ({ sessionID }: { sessionID: string }, { message }: { message: { id: string } }) => {
      if (!commands.delete(sessionID)) typed.add(message.id)
      if (blocks.has(sessionID)) return
      const messages = await messagesOf(sessionID)
      await show(sessionID, messages !== undefined && messages.length <= 1 ? 'startup' : 'resume')
    },
    'experimental.chat.system.transform': async ({ sessionID = '' }: { sessionID?: string }, { system }: { system: string[] }) => {
      const block = await blocks.get(sessionID)
      if (block) system.push(block)
    },
    event: async ({ event: { type, properties } }: Occurrence) => {
      const id = properties.sessionID ?? ''
      if (type === 'session.idle' && blocks.has(id)) await record(id)
      if (type === 'session.compacted' && blocks.has(id)) await show(id, 'compact')
    },
    dispose: async () => {
      await Promise.all([...recorded].map((id) => call('SessionEnd', id, { reason: 'exit' })))
    },
  }
}
