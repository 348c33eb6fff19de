/** Letta Code's program with its local back end: an agent whose memory is a git repository, and who is spoken to over standard input. */
import { spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

const PROGRAM = createRequire(import.meta.url).resolve('@letta-ai/letta-code')
const PLACE = ['--backend', 'local', '-m', 'lmstudio/local']
const NEW = ['--new-agent', '--personality', 'blank']
const TALK = ['-p', '--input-format', 'stream-json', '--output-format', 'stream-json']

interface Event {
  readonly type: string
  readonly subtype?: string
  readonly message_type?: string
  readonly status?: string
  readonly tool_return?: string
}

export interface Agent {
  /** The folder of its memory. */
  readonly memory: string
  /** Rejects if a tool failed. */
  ask(content: string): Promise<void>
  close(): Promise<void>
}

/** The model is one of LM Studio, since that is named by an address alone. */
export const openAgent = async (folder: string, url: string): Promise<Agent> => {
  const memories = `${folder}/.letta/lc-local-backend/memfs`
  const [known] = existsSync(memories) ? readdirSync(memories) : []
  const project = `${folder}/project`
  await mkdir(project, { recursive: true })
  const env = { ...process.env, HOME: folder, LMSTUDIO_BASE_URL: `${url}/v1`, LETTA_CODE_TELEM: '0', LETTA_CODE_OFFLINE: '1' }
  const args = [PROGRAM, ...PLACE, ...(known === undefined ? NEW : ['--agent', known, '--new']), ...TALK]
  const child = spawn(process.execPath, args, { env, cwd: project, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (): Promise<Event> => {
    const { value, done } = await lines.next()
    if (done === true) throw new Error('Letta Code ended.')
    return JSON.parse(value)
  }
  for (let event = await next(); event.subtype !== 'init'; event = await next());
  return {
    memory: `${memories}/${known ?? readdirSync(memories)[0]}/memory`,
    ask: async (content) => {
      child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`)
      const failures: string[] = []
      let event = await next()
      for (; event.type !== 'result'; event = await next())
        if (event.message_type === 'tool_return_message' && event.status !== 'success') failures.push(event.tool_return ?? '')
      if (event.subtype !== 'success') failures.push(JSON.stringify(event))
      if (failures.length > 0) throw new Error(failures.join('\n'))
    },
    close: async () => {
      child.stdin.end()
      child.kill()
      await ended
    },
  }
}
