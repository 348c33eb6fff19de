/** Whether other users of the machine can change a file whose content is run as code. */
import { stat } from 'node:fs/promises'

const GROUP_OR_OTHERS_WRITE = 0o022
const ROOT = 0

/** The first of the paths that is unsafe, with the command that mends it; undefined if all are safe, and where the system has no such modes. */
export const whatOthersCanChange = async (paths: readonly string[]): Promise<string | undefined> => {
  const user = process.getuid?.()
  if (user === undefined) return undefined
  for (const path of paths) {
    // A file that is not there is nobody's.
    const found = await stat(path).catch(() => undefined)
    if (!found) continue
    if (found.uid !== user && found.uid !== ROOT)
      return `'${path}' belongs to another user, who could make this program run any code. Run: chown ${user} '${path}'`
    if ((found.mode & GROUP_OR_OTHERS_WRITE) !== 0)
      return `other users may write to '${path}', and could make this program run any code. Run: chmod go-w '${path}'`
  }
  return undefined
}
