/** Finds the Node of the user, not the one that the workspace installs for its tools. */
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** `HERMES_SMOKE_NODE`, or else the first Node on the path outside any `node_modules`, or else the Node that runs this. */
export const usersNode = (): string => {
  const named = process.env['HERMES_SMOKE_NODE']
  if (named !== undefined && named !== '') return named
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '' && !folder.includes('node_modules'))
  return folders.map((folder) => join(folder, process.platform === 'win32' ? 'node.exe' : 'node')).find(isExecutable) ?? process.execPath
}
