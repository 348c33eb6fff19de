/** Where the built plugin of a host is: beside this package, or in the bundle of the command. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** From the sources, from a build of this package, and from the bundle of the command. */
const PLACES = ['../../dist/plugins', '../plugins', './plugins']

export const pluginFolder = async (host: string): Promise<string> => {
  for (const place of PLACES) {
    const folder = join(fileURLToPath(new URL(place, import.meta.url)), host)
    const isThere = await access(folder).then(
      () => true,
      () => false,
    )
    if (isThere) return folder
  }
  throw new Error(`The plugin for ${host} is missing in this installation. Install @hermes/cli anew.`)
}
