/** Files in which an agent remembers something by itself. They are looked at, not read. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Remembered } from './host-setup.ts'

/** Those that are there, and are not empty. */
export const foundFiles = async (paths: readonly string[], about: Omit<Remembered, 'path' | 'bytes'>): Promise<readonly Remembered[]> => {
  const files = await Promise.all(paths.map(async (path) => ({ path, status: await stat(path).catch(() => undefined) })))
  return files.flatMap(({ path, status }) => (status?.isFile() && status.size > 0 ? [{ path, ...about, bytes: status.size }] : []))
}

/** The files of a folder with one of these endings. */
export const filesIn = async (folder: string, ...endings: readonly string[]): Promise<readonly string[]> => {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => endings.some((ending) => name.endsWith(ending))).map((name) => join(folder, name))
}
