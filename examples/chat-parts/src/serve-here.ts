/** Serves a fetch handler to this machine only, at a free port. */
import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'

/** `origin`: such as `http://127.0.0.1:4983`. Rejects if no port can be opened. */
export const serveHere = async (
  fetch: (request: Request) => Promise<Response>,
): Promise<{ readonly origin: string; readonly close: () => void }> => {
  // Its type allows for HTTP/2, which only other options open.
  const server = createAdaptorServer({ fetch, hostname: '127.0.0.1' }) as Server
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { origin: `http://127.0.0.1:${port}`, close }
}
