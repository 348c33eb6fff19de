/** The folders of a set of document paths, so that a listing or a check reads only the part of the tree that it is about. */

export interface PathIndex {
  /** Number of documents. */
  readonly size: () => number
  readonly add: (path: string) => void
  readonly remove: (path: string) => void
  /** Whether there is a document below the folder. */
  readonly isFolder: (path: string) => boolean
  /** The documents below a folder (`''` = all) at any depth, in no order. */
  readonly below: (folder: string) => readonly string[]
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

export const createPathIndex = (paths: Iterable<string>): PathIndex => {
  const documents = new Set<string>()
  /** The documents and folders directly in each folder; no folder is empty. */
  const entries = new Map<string, Set<string>>()

  const add = (path: string): void => {
    documents.add(path)
    for (let child = path; child !== ''; child = parentOf(child)) {
      const siblings = entries.get(parentOf(child))
      if (siblings) {
        siblings.add(child)
        return
      }
      entries.set(parentOf(child), new Set([child]))
    }
  }

  const remove = (path: string): void => {
    if (!documents.delete(path)) return
    for (let child = path; child !== ''; child = parentOf(child)) {
      const siblings = entries.get(parentOf(child))
      siblings?.delete(child)
      if (siblings && siblings.size > 0) return
      entries.delete(parentOf(child))
    }
  }

  const below = (folder: string): readonly string[] => {
    const found: string[] = []
    const folders = [folder]
    for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
      for (const entry of entries.get(next) ?? []) {
        if (documents.has(entry)) found.push(entry)
        else folders.push(entry)
      }
    }
    return found
  }

  for (const path of paths) add(path)
  return { size: () => documents.size, add, remove, isFolder: (path) => entries.has(path), below }
}
