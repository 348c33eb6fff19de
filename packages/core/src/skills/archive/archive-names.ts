/** What the folders in the archive are called, by this program, by Python Hermes and by people (reference skills-curator 9). Pure. */

/** `name-YYYYMMDDHHMMSS` and the forms that a shell leaves, such as `name-2026-05-12-101500`; UTC. */
const stampedName = /^(.+?)-(\d{4})-?(\d{2})-?(\d{2})(?:[-T_]?(\d{2})[-:]?(\d{2})(?:[-:]?(\d{2}))?Z?)?(?:-\d{1,3})?$/

export interface ArchiveName {
  readonly base: string
  /** Epoch milliseconds; 0 where the name holds no time. */
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

/** Bytes; a document's name takes 255, of which the time, a number and `.json` need their share. */
const MAX_NAME_BYTES = 220

/** At most so many bytes: no code point takes more than four. */
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
