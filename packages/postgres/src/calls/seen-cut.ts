/** A cut that notes what a plan looks at. Only that can make the plan stale: an append to a document that it has not read never is. */
import { type Cut, type DocumentInfo, isBelow, makeCut, type NamedPaths } from '@hermes/core/storage'
import type { CutRows } from './cut-rows.ts'

/** Versions and digests, as the function of the schema compares them; null: there was no document. */
export interface Seen {
  readonly documents: Readonly<Record<string, string | null>>
  readonly folders: Readonly<Record<string, string>>
}

export const NOTHING_SEEN: Seen = { documents: {}, folders: {} }

const bitsOf = (hex: string): number => Number.parseInt(hex, 16)

/** `DIGEST` in documents-step.ts is the same. */
const digestOf = (infos: readonly DocumentInfo[]): string => {
  const sum = (part: (stamp: string) => string) => infos.reduce((total, { stamp }) => total + bitsOf(part(stamp)), 0)
  return `${infos.length}:${sum((stamp) => stamp.slice(0, 8))}:${sum((stamp) => stamp.slice(-8))}`
}

/** A plan has asked for a large document, which is read before the plan runs again. */
class NotReadYet extends Error {}

export interface SeenCut {
  readonly cut: Cut
  readonly seen: () => Seen
  /** Paths of documents that the plan wanted and that have to be read for it. */
  readonly wanted: ReadonlySet<string>
}

export const createSeenCut = (named: NamedPaths, rows: CutRows): SeenCut => {
  const cut = makeCut(named, rows)
  const documents = new Set<string>()
  const folders = new Set<string>()
  const wanted = new Set<string>()
  return {
    wanted,
    cut: {
      document(path) {
        if (rows.unread.has(path)) {
          wanted.add(path)
          throw new NotReadYet(`'${path}' is read next.`)
        }
        const document = cut.document(path)
        documents.add(path)
        return document
      },
      list(folder) {
        const infos = cut.list(folder)
        folders.add(folder.endsWith('/') ? folder.slice(0, -1) : folder)
        return infos
      },
    },
    seen: () => ({
      documents: Object.fromEntries([...documents].map((path) => [path, rows.versions.get(path) ?? null])),
      folders: Object.fromEntries([...folders].map((folder) => [folder, digestOf(rows.infos.filter(({ path }) => isBelow(path, folder)))])),
    }),
  }
}
