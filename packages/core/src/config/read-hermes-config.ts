/** The `config.yaml` of a home, through the storage port. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { type ConfigReading, EMPTY_READING, parseHermesConfig } from './parse-hermes-config.ts'

const CONFIG_PATH = 'config.yaml'

/** Nothing set where there is no file. `unreadable` where it is not text in UTF-8, `invalid` for what `parseHermesConfig` refuses. */
export const readHermesConfig = async (storage: StorageBackend): Promise<Result<ConfigReading>> => {
  const document = await storage.read(CONFIG_PATH)
  if (!document.ok) return document
  if (!document.value) return ok(EMPTY_READING)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(document.value.bytes)
  } catch (cause) {
    const message = `'${CONFIG_PATH}' is not text in UTF-8. Save it as UTF-8, or move it away to go on with the defaults.`
    return err(new HermesError('unreadable', message, { cause, details: { path: CONFIG_PATH } }))
  }
  return parseHermesConfig(text)
}
