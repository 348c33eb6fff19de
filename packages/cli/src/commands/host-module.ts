/** Loads a module of the host, which exports its own `homes` or `hermes`. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Failure, messageOf, usage } from '../answer.ts'

/** `methods`: what `homes` or `hermes` must have. */
export const loadHostModule = async <Target extends object>(path: string, methods: readonly string[]): Promise<Target | Failure> => {
  let loaded: Readonly<Record<string, unknown>>
  try {
    loaded = await import(pathToFileURL(resolve(path)).href)
  } catch (cause) {
    return usage(`'${path}' could not be loaded: ${messageOf(cause).replace(/\.$/, '')}.`)
  }
  const target = loaded['homes'] ?? loaded['hermes']
  if (typeof target === 'object' && target !== null && methods.every((name) => typeof Reflect.get(target, name) === 'function'))
    return target as Target
  return usage(`'${path}' must export 'homes', made by createHermesHomes, or 'hermes', made by createHermes.`)
}
