/** Which lock an update needs. Pure. */
import type { NamedPaths } from '@hermes/core/storage'

/** What is below the folder of one owner, `homes/<tenant>/<user>`. */
const WITHIN_A_HOME = /^homes\/[^/]+\/[^/]+(?=\/)/

/** The home in which all named paths are; `''`, which excludes all homes, if there is no such one. */
export const homeOf = ({ documents, folders }: NamedPaths): string => {
  const homes = new Set([...documents, ...folders.map((folder) => `${folder}/`)].map((path) => WITHIN_A_HOME.exec(path)?.[0] ?? ''))
  const [home = ''] = homes
  return homes.size === 1 ? home : ''
}
