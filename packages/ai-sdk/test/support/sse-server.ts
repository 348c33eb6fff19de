/** An OpenAI-style streaming server that sends one chunk and then waits for the test to end the answer. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SseServer {
  /** Base URL for a provider. */
  readonly url: string
  /** Resolves when the client has closed the connection of the newest answer. */
  readonly hungUp: () => Promise<void>
  finish(): void
  /** Cuts the connection in the middle of the answer. */
  cut(): void
  stop(): Promise<void>
}

const chunk = (delta: object, finish_reason: string | null = null): string =>
  `data: ${JSON.stringify({ id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

const once = () => {
  let fire = (): void => undefined
  const happened = new Promise<void>((resolve) => {
    fire = resolve
  })
  return { happened, fire: () => fire() }
}

export const sseServer = async (): Promise<SseServer> => {
  const hungUp = once()
  let open: ServerResponse | undefined
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.on('close', hungUp.fire)
    response.write(chunk({ role: 'assistant', content: 'Half an ' }))
    open = response
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    hungUp: () => hungUp.happened,
    finish() {
      open?.write(chunk({ content: 'answer.' }))
      open?.write(chunk({}, 'stop'))
      open?.end('data: [DONE]\n\n')
    },
    cut() {
      open?.destroy()
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
