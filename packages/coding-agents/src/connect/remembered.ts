/** Files in which an agent remembers something by itself. They are looked at, not read. */
import { stat } from 'node:fs/promises'
import type { Remembered } from './host-setup.ts'

/** Those that are there, and are not empty. */
export const foundFiles = async (paths: readonly string[], writtenBy: Remembered['writtenBy']): Promise<readonly Remembered[]> => {
  const files = await Promise.all(paths.map(async (path) => ({ path, writtenBy, status: await stat(path).catch(() => undefined) })))
  return files.flatMap(({ path, status }) => (status?.isFile() && status.size > 0 ? [{ path, writtenBy, bytes: status.size }] : []))
}
