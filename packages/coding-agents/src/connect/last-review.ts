/** How the newest review of a coding agent ended, for `hermes doctor`. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { asRecord, asText } from '@hermes/core/adapter'

export interface LastReview {
  readonly at: number
  readonly host: string
  readonly failure: string | undefined
}

/** `home`: the folder of the Hermes home. Undefined if there was none. */
export const lastReview = async (home: string): Promise<LastReview | undefined> => {
  try {
    const { at, host, failure } = asRecord(JSON.parse(await readFile(join(home, '.hermes', 'agents', 'last-review'), 'utf8')))
    return { at: Number(at), host: asText(host), failure: asText(failure) || undefined }
  } catch {
    return undefined
  }
}
