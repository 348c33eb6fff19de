/** What a call of a storage is about, for back ends that fake faults. `moveDocuments` names both ends of a move as documents and as folders. */
import type { Paths } from '../../src/storage/storage-backend.ts'

const folders = (paths: Paths): readonly string[] => paths.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1))

/** What is moved; undefined if nothing is. */
const movedFrom = (paths: Paths): string | undefined => folders(paths)[0]

/** Such as `update memories/MEMORY.md` and `move skills/deploy`. */
export const nameOfUpdate = (paths: Paths): string => (movedFrom(paths) === undefined ? `update ${paths}` : `move ${movedFrom(paths)}`)
