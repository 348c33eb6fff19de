/** Copies of a plugin: what was copied is known by its digest, so that only that is removed again. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'

/** Digests by path below the folder. */
export type Digests = Readonly<Record<string, string>>

const filesBelow = async (folder: string): Promise<readonly string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

const digestOf = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex')

export const digestsOf = async (folder: string): Promise<Digests> => {
  const files = await filesBelow(folder)
  const entries = files.map(async (file) => [relative(folder, file).replaceAll('\\', '/'), await digestOf(file)] as const)
  return Object.fromEntries(await Promise.all(entries))
}

/** The folder of a package, from the file that `require` finds. */
const packageFolder = (file: string): string => {
  const folder = dirname(file)
  return existsSync(join(folder, 'package.json')) || folder === dirname(folder) ? folder : packageFolder(folder)
}

/** The lock of a home needs native code, which is not part of a bundle. Without it, a home that was locked with it cannot be written. */
const copyLock = async (to: string): Promise<void> => {
  try {
    const koffi = createRequire(import.meta.url).resolve('koffi')
    const native = `@koromix/koffi-${process.platform}-${process.arch}`
    const nativePart = createRequire(koffi).resolve(native)
    const isNeeded = (path: string) => !/[\\/](?:src|doc|vendor|lib)$/.test(path)
    const modules = join(to, 'node_modules')
    await cp(packageFolder(koffi), join(modules, 'koffi'), { recursive: true, dereference: true, filter: isNeeded })
    await cp(packageFolder(nativePart), join(modules, native), { recursive: true, dereference: true })
  } catch {
    // Not installed, or not for this machine.
  }
}

export const copyFolder = async (from: string, to: string): Promise<Digests> => {
  await mkdir(to, { recursive: true })
  await cp(from, to, { recursive: true, dereference: true })
  await copyLock(to)
  return digestsOf(to)
}

const removeEmpty = async (folder: string): Promise<void> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) if (entry.isDirectory()) await removeEmpty(join(folder, entry.name))
  // Fails if something is left in it.
  await rmdir(folder).catch(() => undefined)
}

/** Removes what was copied. Returns the files that stay, since somebody has changed or added them. */
export const removeCopy = async (folder: string, copied: Digests): Promise<readonly string[]> => {
  const now = await digestsOf(folder)
  const kept: string[] = []
  for (const [path, digest] of Object.entries(now)) {
    if (copied[path] === digest) await rm(join(folder, path), { force: true })
    else kept.push(join(folder, path))
  }
  await removeEmpty(folder)
  return kept
}
