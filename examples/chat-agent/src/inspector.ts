/** `--ui`: the inspector in the browser, on the home of this chat, for this machine only. */
import type { Server } from 'node:http'
import { hermesInspector } from '@hermes/cli/inspector'
import type { Hermes } from '@hermes/core'
import { createAdaptorServer } from '@hono/node-server'

/** `link` opens one browser, once; there the person may decide and change. Rejects if no port can be opened. */
export const openInspector = async (hermes: Hermes, home: string) => {
  const inspector = hermesInspector(hermes, { write: true, label: home })
  // Its type allows for HTTP/2, which only other options open.
  const server = createAdaptorServer({ fetch: inspector, hostname: '127.0.0.1' }) as Server
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    link: await inspector.link(`http://127.0.0.1:${port}`),
    notify: inspector.notify,
    close: (): void => {
      inspector.close()
      server.close()
      server.closeAllConnections()
    },
  }
}

export type OpenInspector = Awaited<ReturnType<typeof openInspector>>
