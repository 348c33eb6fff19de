/** Loads the golden vectors from the repository or from the folder `VECTORS_DIR`, in the same format. The runner of a file that is missing there reports it as skipped. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The vectors that a runner replays. */
export type VectorFile = 'memory' | 'threats' | 'scrubber' | 'skill-patch' | 'skill-names' | 'curator'

// A folder of vectors may contain these as well, or only these.
const KNOWN_FILES = ['memory', 'threats', 'scrubber', 'curator', 'skill-names', 'skill-patch']

const wrongFolder = (folder: string, why: string): Error =>
  new Error(
    `The folder of vectors ${folder} ${why}. Point VECTORS_DIR at a folder with at least one of ${KNOWN_FILES.map((name) => `${name}.json`).join(', ')}, or unset it to replay those of the repository.`,
  )

/** `undefined` if the folder has no such file. Throws if the folder does not exist or contains no vectors at all. */
const loadVectorsFrom = <T>(folder: string, name: VectorFile): T | undefined => {
  if (!existsSync(folder)) throw wrongFolder(folder, 'does not exist')
  if (!KNOWN_FILES.some((known) => existsSync(join(folder, `${known}.json`)))) throw wrongFolder(folder, 'holds no vectors')
  const path = join(folder, `${name}.json`)
  if (!existsSync(path)) return undefined
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as T
  } catch (cause) {
    throw new Error(`${path} is not JSON: make it anew or remove it.`, { cause })
  }
}

const chosen = process.env['VECTORS_DIR']

export const loadVectors = <T>(name: VectorFile): T | undefined =>
  loadVectorsFrom(chosen ? resolve(chosen) : join(import.meta.dirname, '../vectors'), name)
