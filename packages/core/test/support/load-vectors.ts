/**
 * The golden vectors, from the repository or from the folder that `VECTORS_DIR` names (same format; a file that is absent there is
 * reported as skipped by its runner).
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** The vectors that a runner replays. */
export type VectorFile = 'memory' | 'threats' | 'scrubber' | 'skill-patch' | 'skill-names' | 'curator'

// A folder of vectors may hold these as well, or only these.
const KNOWN_FILES = ['memory', 'threats', 'scrubber', 'curator', 'skill-names', 'skill-patch']

const wrongFolder = (folder: string, why: string): Error =>
  new Error(
    `The folder of vectors ${folder} ${why}. Point VECTORS_DIR at a folder with at least one of ${KNOWN_FILES.map((name) => `${name}.json`).join(', ')}, or unset it to replay those of the repository.`,
  )

/** `undefined` where the folder has no such file; a folder that is none, or holds no vectors at all, is a mistake and throws. */
export const loadVectorsFrom = <T>(folder: string, name: VectorFile): T | undefined => {
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
