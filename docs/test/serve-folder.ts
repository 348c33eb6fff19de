/** Serves the built site as a static host does that answers `/servers` with `servers.html`. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

export interface ServedFolder {
  readonly url: string
  readonly close: () => Promise<void>
}

export const serveFolder = async (folder: string): Promise<ServedFolder> => {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = pathname.endsWith('/') ? `${pathname}index.html` : extname(pathname) === '' ? `${pathname}.html` : pathname
    const file = await readFile(join(folder, decodeURIComponent(path))).catch(() => undefined)
    response.writeHead(file === undefined ? 404 : 200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(file)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
