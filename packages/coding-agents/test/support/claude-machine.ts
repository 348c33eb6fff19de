/** A machine with Claude Code on it: a user's folder, a project, and a model at 127.0.0.1. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { claudeProgram } from './host-programs.ts'
import type { Script } from './script.ts'
import { type ScriptedEndpoint, scriptedEndpoint } from './scripted-endpoint.ts'

export const PLUGIN = join(import.meta.dirname, '../../dist/plugins/claude-code')

export interface Printed {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export const runProgram = (program: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv, input = ''): Promise<Printed> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })

export interface ClaudeMachine {
  readonly folder: string
  readonly home: string
  readonly project: string
  readonly env: NodeJS.ProcessEnv
  readonly endpoint: ScriptedEndpoint
  claude(...args: readonly string[]): Promise<Printed>
  /** One turn of a session, in a process of its own. */
  turn(session: string, text: string, options?: { readonly isFirst?: boolean; readonly in?: string }): Promise<string>
  /** Several turns of a new session in one process. */
  conversation(session: string, texts: readonly string[]): Promise<void>
  /** A document of the Hermes home; `''` if there is none. */
  document(path: string): Promise<string>
  remove(): Promise<void>
}

/** Tools that nobody has to be asked about. */
const ALLOWED = 'Bash,Read,mcp__plugin_hermes_hermes__memory'

export const claudeMachine = async (script: Script, { withPlugin = true } = {}): Promise<ClaudeMachine> => {
  const program = await claudeProgram()
  const endpoint = await scriptedEndpoint(script)
  const folder = await mkdtemp(join(tmpdir(), 'hermes-hosts-'))
  const [home, project, bin] = [join(folder, '.hermes'), join(folder, 'project'), join(folder, 'bin')]
  await mkdir(project)
  await mkdir(bin)
  await symlink(program, join(bin, 'claude'))
  const config = join(folder, '.claude')
  if (withPlugin) await cp(PLUGIN, join(config, 'skills/hermes'), { recursive: true })
  const env: NodeJS.ProcessEnv = {
    PATH: [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter),
    HOME: folder,
    CLAUDE_CONFIG_DIR: config,
    ANTHROPIC_BASE_URL: endpoint.url,
    ANTHROPIC_API_KEY: 'none',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // The machine of the tests may be busy.
    CLAUDE_CODE_MCP_STARTUP_WAIT_MS: '60000',
    MCP_TIMEOUT: '60000',
    HERMES_HOOK_LIMIT_MS: '20000',
  }
  const claude = (...args: readonly string[]) => runProgram('claude', args, project, env)
  return {
    folder,
    home,
    project,
    env,
    endpoint,
    claude,
    async turn(session, text, { isFirst = false, in: where = project } = {}) {
      const args = ['-p', text, isFirst ? '--session-id' : '--resume', session, '--allowedTools', ALLOWED]
      const { code, stdout, stderr } = await runProgram('claude', args, where, env)
      if (code !== 0) throw new Error(`Claude Code ended with ${code}: ${stderr}${stdout}`)
      return stdout.trim()
    },
    async conversation(session, texts) {
      const streams = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
      const args = ['-p', '--session-id', session, '--allowedTools', ALLOWED, ...streams]
      const child = spawn('claude', args, { cwd: project, env, stdio: ['pipe', 'pipe', 'inherit'] })
      const ended = once(child, 'close')
      const waiting = [...texts]
      const next = () => {
        const text = waiting.shift()
        if (text === undefined) child.stdin.end()
        else child.stdin.write(`${JSON.stringify({ type: 'user', message: { role: 'user', content: text } })}\n`)
      }
      next()
      for await (const line of createInterface(child.stdout)) if (line.includes('"type":"result"')) next()
      await ended
    },
    document: (path) => readFile(join(home, path), 'utf8').catch(() => ''),
    async remove() {
      await endpoint.close()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
