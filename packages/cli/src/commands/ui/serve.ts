/** Serves a fetch handler on the loopback, for this machine only. */
import type { Server } from 'node:http'
import { err, HermesError, ok, type Result } from '@hermes/core'
import { createAdaptorServer } from '@hono/node-server'

const HOST = '127.0.0.1'
const IDLE_MS = 50

export interface Served {
  /** Such as `http://127.0.0.1:4983`. */
  readonly origin: string
  /** `limitMs`: how long requests under way may go on. Default: they end too. */
  close(limitMs?: number): Promise<void>
}

const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '')

const listen = (server: Server, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, HOST, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })

/** `port`: the one that was asked for. Without one, `preferred` if it is free, else any. */
export const serve = async (
  fetch: (request: Request) => Promise<Response>,
  { port, preferred }: { readonly port: number | undefined; readonly preferred: number },
): Promise<Result<Served>> => {
  const server = createAdaptorServer({ fetch, hostname: HOST }) as Server
  const listening = listen(server, port ?? preferred).catch((cause: unknown) => {
    if (port === undefined && codeOf(cause) === 'EADDRINUSE') return listen(server, 0)
    throw cause
  })
  try {
    const found = await listening
    const close = (limitMs = 0) =>
      new Promise<void>((resolve) => {
        // A connection that is kept for more requests would else go on for seconds.
        const idle = setInterval(() => server.closeIdleConnections(), IDLE_MS)
        const limit = setTimeout(() => server.closeAllConnections(), limitMs)
        server.close(() => {
          clearInterval(idle)
          clearTimeout(limit)
          resolve()
        })
      })
    return ok({ origin: `http://${HOST}:${found}`, close })
  } catch (cause) {
    const why =
      codeOf(cause) === 'EADDRINUSE'
        ? `Port ${port} is in use: name another with --port, or leave it out.`
        : `It could not be served on this machine: ${String(cause)}`
    return err(new HermesError('io', why, { cause }))
  }
}
