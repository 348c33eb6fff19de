/** `--ui`: the inspector in the browser, on the home of this chat, for this machine only. */
import { hermesInspector } from '@hermes/cli/inspector'
import type { Hermes } from '@hermes/core'
import { serveHere } from '@hermes/example-chat-parts/serve-here'

/** `link` opens one browser, once; there the person may decide and change. Rejects if no port can be opened. */
export const openInspector = async (hermes: Hermes, home: string) => {
  const inspector = hermesInspector(hermes, { write: true, label: home })
  const { origin, close } = await serveHere(inspector)
  const closeAll = (): void => {
    inspector.close()
    close()
  }
  return { link: await inspector.link(origin), notify: inspector.notify, close: closeAll }
}
