/** The statements on the tables. Everything is synchronous and throws SQLite's errors. */
import type { DatabaseSync } from 'node:sqlite'
import type { DocumentInfo, StoredDocument } from '@hermes/core/storage'

const FROM = 'from hermes_documents'
// '0' follows '/'. Named, because Node 22 does not take '?1' by its number.
const BELOW = "path >= $path || '/' and path < $path || '0'"

/** Appends after which a document is looked at: it is written anew if they are many, or long for it. */
const LOOK_EVERY = 64
const MOST_APPENDS = 1_024
const SHARE = 4

const joined = (first: Uint8Array, more: readonly Uint8Array[]): Uint8Array => {
  if (more.length === 0) return first
  const parts = [first, ...more]
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

export interface Documents {
  readonly find: (path: string) => StoredDocument | undefined
  /** The path of a document at `path`, below it, or of which it would be below; there are never two kinds of them. */
  readonly nearest: (path: string) => string | undefined
  readonly has: (path: string) => boolean
  /** `executable` undefined: as it is. */
  readonly put: (path: string, bytes: Uint8Array, executable: boolean | undefined) => void
  readonly append: (path: string, bytes: Uint8Array) => void
  readonly remove: (path: string) => void
  /** Returns the new paths. */
  readonly rename: (from: string, to: string) => readonly string[]
  /** The documents below a folder, as they are at the first step, in no certain order; reads no documents. */
  readonly below: (folder: string) => Generator<DocumentInfo>
}

export const prepareDocuments = (db: DatabaseSync): Documents => {
  const find = db.prepare(`select bytes, executable ${FROM} where path = ?`)
  const findAppends = db.prepare('select bytes from hermes_appends where path = ? order by no')
  const has = db.prepare(`select executable ${FROM} where path = ?`)
  const nearest = db.prepare(
    `select path ${FROM} where path = $path or (${BELOW}) or path in (select value from json_each($folders)) limit 1`,
  )
  const put = db.prepare('insert or replace into hermes_documents (path, bytes, executable) values (?, ?, ?)')
  const remove = db.prepare(`delete ${FROM} where path = ?`)
  const append = db.prepare(
    'insert into hermes_appends (path, no, bytes) values ($path, (select coalesce(max(no), 0) + 1 from hermes_appends where path = $path), $bytes) returning no',
  )
  const removeAppends = db.prepare('delete from hermes_appends where path = ?')
  const lengths = db.prepare(
    `select length(bytes) as whole, (select sum(length(bytes)) from hermes_appends as more where more.path = document.path) as appended ${FROM} as document where path = ?`,
  )
  const moved = 'set path = $target || substr(path, length($path) + 1)'
  const rename = db.prepare(`update hermes_documents ${moved} where path = $path or (${BELOW}) returning path`)
  const renameAppends = db.prepare(`update hermes_appends ${moved} where path = $path or (${BELOW})`)
  const infos = `
select path, version, length(bytes) as size, (select coalesce(max(no), 0) from hermes_appends as more where more.path = document.path) as no,
  (select coalesce(sum(length(bytes)), 0) from hermes_appends as more where more.path = document.path) as appended
${FROM} as document`

  const findDocument = (path: string): StoredDocument | undefined => {
    const row = find.get(path)
    if (!row) return undefined
    const appends = findAppends.all(path)
    const bytes = joined(
      row['bytes'] as Uint8Array,
      appends.map((each) => each['bytes'] as Uint8Array),
    )
    return { bytes, ...(row['executable'] === 1 ? { executable: true } : {}) }
  }

  const putDocument: Documents['put'] = (path, bytes, executable) => {
    const isExecutable = executable ?? has.get(path)?.['executable'] === 1
    removeAppends.run(path)
    put.run(path, bytes, isExecutable ? 1 : 0)
  }

  const isWorthFolding = (path: string, no: number): boolean => {
    if (no % LOOK_EVERY !== 0) return false
    const row = lengths.get(path)
    return no >= MOST_APPENDS || Number(row?.['appended']) * SHARE >= Number(row?.['whole'])
  }

  return {
    find: findDocument,
    nearest(path) {
      const folders = JSON.stringify([...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index)))
      return nearest.get({ path, folders })?.['path']?.toString()
    },
    has: (path) => has.get(path) !== undefined,
    put: putDocument,
    append(path, bytes) {
      const no = Number(append.get({ path, bytes })?.['no'])
      const whole = isWorthFolding(path, no) ? findDocument(path) : undefined
      if (whole) putDocument(path, whole.bytes, undefined)
    },
    remove(path) {
      removeAppends.run(path)
      remove.run(path)
    },
    rename(from, to) {
      renameAppends.run({ path: from, target: to })
      return rename.all({ path: from, target: to }).map(({ path }) => String(path))
    },
    *below(folder) {
      const rows = folder === '' ? db.prepare(infos).iterate() : db.prepare(`${infos} where ${BELOW}`).iterate({ path: folder })
      for (const { path, size, version, no, appended } of rows)
        yield { path: String(path), size: Number(size) + Number(appended), stamp: `${version}.${no}` }
    },
  }
}
