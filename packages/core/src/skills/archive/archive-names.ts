/** Names of folders in the archive, as given by this program, Python Hermes and people (reference skills-curator 9). Pure. */

/** `name-YYYYMMDDHHMMSS` and forms written by hand, such as `name-2026-05-12-101500`; UTC. */
const stampedName = /^(.+?)-(\d{4})-?(\d{2})-?(\d{2})(?:[-T_]?(\d{2})[-:]?(\d{2})(?:[-:]?(\d{2}))?Z?)?(?:-\d{1,3})?$/

export interface ArchiveName {
  readonly base: string
  /** Epoch milliseconds; 0 if the name has no time. */
  readonly at: number
}

export const readArchiveName = (folderName: string): ArchiveName => {
  const [, base, year, month, day, hour = '0', minute = '0', second = '0'] = stampedName.exec(folderName) ?? []
  if (base === undefined) return { base: folderName, at: 0 }
  const [mm, dd, hh, mi, ss] = [month, day, hour, minute, second].map(Number)
  const isTime =
    (mm ?? 0) >= 1 && (mm ?? 13) <= 12 && (dd ?? 0) >= 1 && (dd ?? 32) <= 31 && (hh ?? 24) < 24 && (mi ?? 60) < 60 && (ss ?? 61) <= 60
  return isTime ? { base, at: Date.UTC(Number(year), (mm ?? 1) - 1, dd, hh, mi, ss) } : { base: folderName, at: 0 }
}

const stampOf = (at: number): string => new Date(at).toISOString().replace(/[-:T]/g, '').slice(0, 14)

/** Bytes. A document name may have 255, part of which is needed for the time, a number and `.json`. */
const MAX_NAME_BYTES = 220

/** Cuts to the limit: a code point takes at most four bytes. */
const cut = (folderName: string): string =>
  new TextEncoder().encode(folderName).length <= MAX_NAME_BYTES
    ? folderName
    : [...folderName]
        .slice(0, MAX_NAME_BYTES / 4)
        .join('')
        .replace(/[. ]+$/, '')

/** The folder's own name, then with the time, then numbered. */
export function* archiveNames(folderName: string, at: number): Generator<string> {
  const name = cut(folderName)
  yield name
  const stamped = `${name}-${stampOf(at)}`
  yield stamped
  for (let number = 2; ; number++) yield `${stamped}-${number}`
}
