/** Finds the Node that a user of the packages has, as opposed to the one that the workspace installs for its tools. */
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )

/** `HERMES_SMOKE_NODE`, or the first Node on the path that the workspace did not install; failing both, the one that runs this. */
export const usersNode = async (): Promise<string> => {
  const named = process.env['HERMES_SMOKE_NODE']
  if (named !== undefined && named !== '') return named
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const candidate = join(folder, 'node')
    if (!folder.includes('node_modules') && folder !== '' && (await isExecutable(candidate))) return candidate
  }
  return process.execPath
}
