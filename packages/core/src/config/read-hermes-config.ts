/** Reads the `config.yaml` of a home through the storage port. */
import { HermesError } from '../shared/hermes-error.ts'
import { err, ok, type Result } from '../shared/result.ts'
import type { StorageBackend } from '../storage/storage-backend.ts'
import { type ConfigReading, EMPTY_READING, parseHermesConfig } from './parse-hermes-config.ts'

const CONFIG_PATH = 'config.yaml'

/** Returns an empty reading if there is no file. Fails with `unreadable` if the file is not UTF-8, and with the errors of `parseHermesConfig`. */
export const readHermesConfig = async (storage: StorageBackend): Promise<Result<ConfigReading>> => {
  const document = await storage.read(CONFIG_PATH)
  if (!document.ok) return document
  if (!document.value) return ok(EMPTY_READING)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(document.value.bytes)
  } catch (cause) {
    const message = `'${CONFIG_PATH}' is not UTF-8 text. Save it as UTF-8, or remove it to use the defaults.`
    return err(new HermesError('unreadable', message, { cause, details: { path: CONFIG_PATH } }))
  }
  return parseHermesConfig(text)
}
