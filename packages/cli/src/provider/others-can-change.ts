/** Whether other users of the machine can change a file that decides which code is run. */
import { realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

const GROUP_OR_OTHERS_WRITE = 0o022
/** In such a folder, nobody can replace the files of others. */
const STICKY = 0o1000
const ROOT = 0

/** A clause with the command that mends it; undefined for a safe path, and for one that is not there. */
const faultOf = async (path: string, user: number): Promise<string | undefined> => {
  const found = await stat(path).catch(() => undefined)
  if (!found) return undefined
  const danger = 'could make this program run any code'
  if (found.uid !== user && found.uid !== ROOT) return `'${path}' belongs to another user, who ${danger}. Run: chown ${user} '${path}'`
  const isShared = (found.mode & GROUP_OR_OTHERS_WRITE) !== 0 && !(found.isDirectory() && (found.mode & STICKY) !== 0)
  return isShared ? `other users may write to '${path}', and ${danger}. Run: chmod go-w '${path}'` : undefined
}

/** Looks at the file, its folder, and at both of them behind a link. Undefined if they are safe, and where the system has no such modes. */
export const whatOthersCanChange = async (file: string): Promise<string | undefined> => {
  const user = process.getuid?.()
  if (user === undefined) return undefined
  const real = await realpath(file).catch(() => file)
  for (const path of new Set([dirname(file), file, dirname(real), real])) {
    const fault = await faultOf(path, user)
    if (fault !== undefined) return fault
  }
  return undefined
}
