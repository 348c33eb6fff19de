/** Session records that could not be read, kept aside for a person to look at: where they lie, whose they are and since when. */
import { SESSIONS_FOLDER } from '../storage/storage-paths.ts'

export const UNREADABLE_FOLDER = `${SESSIONS_FOLDER}/.unreadable`

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** `path`: of the record. `at`: epoch milliseconds. */
export const unreadableCopy = (path: string, at: number): string => `${UNREADABLE_FOLDER}/${at}-${nameOf(path)}`

/** Whose record a copy is, as the name of its document, and since when it lies here; undefined for what is none. */
export const readCopyName = (copy: string): { readonly name: string; readonly at: number } | undefined => {
  const [, at, name] = /^(\d+)-(.+)$/.exec(nameOf(copy)) ?? []
  return copy.startsWith(`${UNREADABLE_FOLDER}/`) && at !== undefined && name !== undefined ? { name, at: Number(at) } : undefined
}

export const isCopyOf = (copy: string, path: string): boolean => readCopyName(copy)?.name === nameOf(path)
