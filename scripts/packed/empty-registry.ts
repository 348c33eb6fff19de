/** A registry that knows no package, and notes what it is asked. */
import { once } from 'node:events'
import { createServer } from 'node:http'

export interface EmptyRegistry {
  readonly url: string
  /** The methods of all requests. */
  readonly asked: readonly string[]
  readonly close: () => void
}

export const openEmptyRegistry = async (): Promise<EmptyRegistry> => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.method ?? '')
    response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('A listening server has a port.')
  return { url: `http://127.0.0.1:${address.port}`, asked, close: () => void server.close() }
}
