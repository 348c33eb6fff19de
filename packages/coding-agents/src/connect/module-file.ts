/** A file that is ours as a whole, in a folder from which an agent loads what it finds. */
import type { ConfigFile } from './host-setup.ts'

/** One of somebody else, or one that was changed, stays as it is. */
export const moduleFile = (path: string, text: string): ConfigFile => ({
  path,
  empty: '',
  add(before) {
    if (before !== '' && before !== text)
      throw new Error(`'${path}' exists and was not made by 'hermes connect'. Move it away first. Nothing was changed.`)
    return text
  },
  takeBack: (now) => now.replace(text, ''),
})
