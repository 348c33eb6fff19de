/** Which lock an update needs. Pure. */
import type { NamedPaths } from '@hermes/core/storage'

/** What is below the folder of one owner, `homes/<tenant>/<user>`, or the owner's registration, `owners/<tenant>/<user>.json`. */
const OF_AN_OWNER = /^(?:homes\/([^/]+\/[^/]+)\/|owners\/([^/]+\/[^/]+)\.json$)/

const ownerIn = (path: string): string => {
  const [, inside, registered] = OF_AN_OWNER.exec(path) ?? []
  return inside ?? registered ?? ''
}

/** The home to which all named paths belong; `''`, which excludes all homes, if there is no such one. */
export const homeOf = ({ documents, folders }: NamedPaths): string => {
  const owners = new Set([...documents, ...folders.map((folder) => `${folder}/`)].map(ownerIn))
  const [owner = ''] = owners
  return owners.size === 1 && owner !== '' ? `homes/${owner}` : ''
}
