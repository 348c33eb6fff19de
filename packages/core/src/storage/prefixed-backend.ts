/** A folder of a storage as a storage of its own: every path is checked, then put below the prefix. */
import { ok, type Result } from '../shared/result.ts'
import { checkPaths } from './cut.ts'
import { checkFolder } from './document-tree.ts'
import { type CheckedPlan, checkPlan, type Put } from './plan.ts'
import type { Cut, DocumentInfo, Plan, StorageBackend } from './storage-backend.ts'

const toContent = (put: Put | null) => put && (put.executable === undefined ? put.bytes : { bytes: put.bytes, executable: put.executable })

/** `prefix`: a valid path. Nothing outside of it is read or written. Closing the view does not close the storage. */
export const prefixedBackend = (backend: StorageBackend, prefix: string): StorageBackend => {
  const below = (path: string): string => (path === '' ? prefix : path === '/' ? `${prefix}/` : `${prefix}/${path}`)
  const within = async <T>(checked: Result<unknown>, call: () => Promise<Result<T>>): Promise<Result<T>> => (checked.ok ? call() : checked)
  const inside = (infos: readonly DocumentInfo[]) => infos.map((info) => ({ ...info, path: info.path.slice(prefix.length + 1) }))
  const cutInside = (cut: Cut): Cut => ({
    document: (path) => cut.document(below(path)),
    list: (folder) => inside(cut.list(below(folder))),
  })
  const planBelow = <T>({ puts, appends, moves, value }: CheckedPlan<T>): Plan<T> => ({
    put: Object.fromEntries([...puts].map(([path, put]) => [below(path), toContent(put)])),
    append: Object.fromEntries([...appends].map(([path, more]) => [below(path), more])),
    move: moves.map(([from, to]) => [below(from), below(to)]),
    value,
  })
  return {
    read: (paths) =>
      within(checkPaths(paths), async () => {
        const cut = await backend.read(paths.map(below))
        return cut.ok ? ok(cutInside(cut.value)) : cut
      }),
    update: async (paths, plan, options) => {
      const named = checkPaths(paths)
      if (!named.ok) return named
      return backend.update(paths.map(below), (cut) => planBelow(checkPlan(plan(cutInside(cut)), named.value)), options)
    },
    list: (folder) =>
      within(checkFolder(folder), async () => {
        const listed = await backend.list(below(folder))
        return listed.ok ? ok(inside(listed.value)) : listed
      }),
    close: async () => {},
  }
}
