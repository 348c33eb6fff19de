/** Loads a module of the host, which exports its own `homes` or `hermes`. */
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { EXIT, type Failure } from '../answer.ts'

export type HostModule = { readonly target: unknown } | { readonly failure: Failure }

const usage = (message: string): HostModule => ({ failure: { code: 'usage', message, exitCode: EXIT.usage } })

/** `methods`: what `homes` or `hermes` must have. */
export const loadHostModule = async (path: string, methods: readonly string[]): Promise<HostModule> => {
  let loaded: Readonly<Record<string, unknown>>
  try {
    loaded = await import(pathToFileURL(resolve(path)).href)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return usage(`'${path}' could not be loaded: ${reason.replace(/\.$/, '')}.`)
  }
  const target = loaded['homes'] ?? loaded['hermes']
  if (typeof target === 'object' && target !== null && methods.every((name) => typeof Reflect.get(target, name) === 'function'))
    return { target }
  return usage(`'${path}' must export 'homes', made by createHermesHomes, or 'hermes', made by createHermes.`)
}
