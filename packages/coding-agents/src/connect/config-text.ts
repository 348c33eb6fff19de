/** Files of an agent's configuration: read and replaced without losing a byte, a link or the permissions. */
import { createHash } from 'node:crypto'
import { readFile, readlink, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

export const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Undefined if there is no such file. Rejects for bytes that could not be written back. */
export const readText = async (path: string): Promise<string | undefined> => {
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw cause.code === 'EISDIR' ? new Error(`'${path}' is a folder, so nothing was changed. Move it away first.`) : cause
  })
  const text = bytes?.toString('utf8')
  if (bytes && text !== undefined && !Buffer.from(text).equals(bytes))
    throw new Error(`'${path}' is not in UTF-8, so nothing was changed. Save it in UTF-8 first.`)
  return text
}

/** Where a link leads, also if nothing is there. */
const targetOf = async (path: string): Promise<string> => {
  const real = await realpath(path).catch(() => undefined)
  if (real !== undefined) return real
  const link = await readlink(path).catch(() => undefined)
  return link === undefined ? path : resolve(dirname(path), link)
}

/** In one step. Keeps the permissions of the file, and a link to it. */
export const replaceText = async (path: string, text: string): Promise<void> => {
  const target = await targetOf(path)
  const mode = (await stat(target).catch(() => undefined))?.mode
  const fresh = `${target}.hermes-${process.pid}`
  try {
    await writeFile(fresh, text, mode === undefined ? {} : { mode })
    await rename(fresh, target)
  } catch (cause) {
    await rm(fresh, { force: true })
    throw cause
  }
}

/** Removes a file that a link may lead to; the link stays. */
export const removeText = async (path: string): Promise<void> => rm(await targetOf(path), { force: true })

/** What a change of a text removed and added. Settings may hold secrets, so the text itself is not kept. */
export interface Patch {
  readonly at: number
  readonly removed: string
  readonly added: string
}

export const patchOf = (before: string, after: string): Patch => {
  const shorter = Math.min(before.length, after.length)
  let at = 0
  while (at < shorter && before[at] === after[at]) at++
  let end = 0
  while (end < shorter - at && before.at(-1 - end) === after.at(-1 - end)) end++
  return { at, removed: before.slice(at, before.length - end), added: after.slice(at, after.length - end) }
}

/** The text as it was before. */
export const undoPatch = (after: string, { at, removed, added }: Patch): string =>
  after.slice(0, at) + removed + after.slice(at + added.length)

const BOM = '\uFEFF'

/** Changes a text, apart from the mark that some editors put before it. */
export const changeText = (text: string, change: (text: string) => string): string =>
  text.startsWith(BOM) ? BOM + change(text.slice(1)) : change(text)
