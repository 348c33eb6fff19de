/** Serves a fetch handler on the loopback, for this machine only. */
import type { Server } from 'node:http'
import { err, HermesError, ok, type Result } from '@hermes/core'
import { createAdaptorServer } from '@hono/node-server'

const HOST = '127.0.0.1'

export interface Served {
  /** Such as `http://127.0.0.1:4983`. */
  readonly origin: string
  /** Ends open requests too. */
  close(): Promise<void>
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
    const close = () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
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
