/** Hooks of hosts that load extensions into their own process: each event is the same short process as elsewhere. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

/** Milliseconds after which an event is given up; a hook ends by itself before. */
const LIMIT_MS = 3_000

/** Resolves to what the hook prints; `''` if it fails, since the host goes on without it. */
export const callHook = (host: string, event: string, input: object): Promise<string> =>
  new Promise((resolve) => {
    const limit = Number(process.env['HERMES_HOOK_LIMIT_MS']) || LIMIT_MS
    const hook = spawn('node', [join(import.meta.dirname, 'hook.js'), host, event], {
      timeout: limit,
      stdio: ['pipe', 'pipe', 'ignore'],
      windowsHide: true,
    })
    let printed = ''
    hook.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    hook.stdin.on('error', () => {})
    hook.once('error', () => resolve(''))
    hook.once('close', (code) => resolve(code === 0 ? printed : ''))
    hook.stdin.end(JSON.stringify(input))
  })
