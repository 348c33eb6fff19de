/** Speaks MCP with a server on standard input and output, line by line. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface McpClient {
  request(method: string, params?: object): Promise<Readonly<Record<string, unknown>>>
  /** Resolves to the code with which the server has ended. */
  close(): Promise<number | null>
}

export const mcpClient = async (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<McpClient> => {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const waiting = new Map<number, (message: Readonly<Record<string, unknown>>) => void>()
  createInterface(child.stdout).on('line', (line) => {
    const message = JSON.parse(line)
    waiting.get(message.id)?.(message)
  })
  let made = 0
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request: McpClient['request'] = (method, params = {}) =>
    new Promise((resolve) => {
      const id = ++made
      waiting.set(id, resolve)
      send({ id, method, params })
    })
  await request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } })
  send({ method: 'notifications/initialized' })
  return {
    request,
    close() {
      child.stdin.end()
      return ended
    },
  }
}
