/**
 * The golden vectors, from the repository or from the folder that `VECTORS_DIR` names (same format; a file that is absent there is
 * reported as skipped by its runner).
 */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const folder = process.env['VECTORS_DIR'] ? resolve(process.env['VECTORS_DIR']) : join(import.meta.dirname, '../vectors')

export type VectorFile = 'memory' | 'threats' | 'scrubber' | 'curator' | 'skill-names' | 'skill-patch'

/** `undefined` where the folder has no such file. */
export const loadVectors = <T>(name: VectorFile): T | undefined => {
  const path = join(folder, `${name}.json`)
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined
}
