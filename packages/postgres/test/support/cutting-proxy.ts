/** A TCP proxy before a server that cuts the connection at a statement of the test's choice. */
import { connect, createServer, type Socket } from 'node:net'

export type Cut = 'before' | 'after'

export interface CuttingProxy {
  readonly port: number
  /** `before`: the server never gets the statement. `after`: the server carries it out, and the answer is lost. Happens once. */
  readonly cutAt: (text: string, when: Cut) => void
  readonly cuts: () => number
  readonly close: () => Promise<void>
}

export const createCuttingProxy = async (target: { readonly host: string; readonly port: number }): Promise<CuttingProxy> => {
  let next: { readonly text: string; readonly when: Cut } | undefined
  let cuts = 0
  const sockets = new Set<Socket>()

  const server = createServer((client) => {
    const upstream = connect(target)
    let muted = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    client.on('close', end)
    upstream.on('close', end)
    client.on('data', (chunk) => {
      if (!next || !chunk.includes(next.text)) return upstream.write(chunk)
      const { when } = next
      next = undefined
      cuts++
      if (when === 'before') return end()
      muted = true
      upstream.write(chunk)
    })
    // The first answer says that the statement has been carried out.
    upstream.on('data', (chunk) => (muted ? end() : client.write(chunk)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cutAt: (text, when) => {
      next = { text, when }
    },
    cuts: () => cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
