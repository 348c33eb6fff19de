const MANIFESTS = 'skills/.archive/.manifests/'

/** Manifests without an archive entry, among the paths of a library. They describe nothing, and a rollback does not restore them. */
export const abandonedIn = (paths: readonly string[]): ReadonlySet<string> => {
  const entries = new Set(paths.map((path) => /^skills\/\.archive\/([^/]+)/.exec(path)?.[1]?.toLowerCase()))
  return new Set(paths.filter((path) => path.startsWith(MANIFESTS) && !entries.has(path.slice(MANIFESTS.length, -'.json'.length))))
}
