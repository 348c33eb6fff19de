/** Loads the external memory provider that config.yaml names: for every program that works on a home. */
import { realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { HermesConfig } from '@hermes/core/config'
import { type MemoryProvider, providerFault } from '@hermes/core/provider'
import { resolve as resolvePackage } from 'import-meta-resolve'
import { closeNames } from '../close-names.ts'

/** The parts of `memory` in config.yaml that name a provider. */
export type ProviderSettings = Pick<HermesConfig['memory'], 'provider' | 'providerOptions'>

export interface LoadProviderOptions {
  /** Absolute path of the home whose config.yaml was read. Relative paths start from here. */
  readonly home: string
  /** File URLs of modules beside which packages are looked for after the home. Default: the running program and this package. */
  readonly beside?: readonly string[]
  /** How long its modules may take to load, in milliseconds. Default 5,000. */
  readonly limitMs?: number
}

/** Without a provider, `warning` says why the one that was named is not used; neither is set if none was named. */
export type LoadedProvider = { readonly provider?: MemoryProvider; readonly warning?: string }

const LOAD_LIMIT_MS = 5_000

const SHORT_NAMES: ReadonlyMap<string, string> = new Map([['recall', '@hermes/recall']])

const PACKAGE = /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*(?:\/[\w.~/-]+)?$/
const FILE = /^(?:\.{1,2}[\\/]|~[\\/]|file:)/

const isFile = (name: string): boolean => FILE.test(name) || isAbsolute(name)

const filePath = (name: string, home: string): string => {
  if (name.startsWith('file:')) return fileURLToPath(name)
  return name.startsWith('~') ? join(homedir(), name.slice(1)) : resolve(home, name)
}

const messageOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')

class NotUsed extends Error {}

/** The command that was started may be a link into the folder of an app, whose packages are beside the link. */
const besideProgram = (): readonly string[] => {
  const program = process.argv[1]
  return [...(program === undefined ? [] : [pathToFileURL(resolve(program)).href]), import.meta.url]
}

const adviceFor = (name: string, home: string): string => {
  const install = `Install it: npm install --prefix '${home}' ${name}`
  if ([...SHORT_NAMES.values()].includes(name)) return install
  const [short] = [...SHORT_NAMES].find((names) => closeNames(name, names).length > 0) ?? []
  if (short !== undefined) return `Did you mean '${short}'?`
  // Plugins of Python have no scope. A name without one is not called a package of npm: anybody may have published it.
  if (name.startsWith('@')) return install
  return 'A plugin of Python Hermes works there alone. For a file, give a path that begins with ./ or ~/.'
}

/** Never the working directory: it may be somebody else's repository, whose code a name in the home must not run. */
const findPackage = (name: string, { home, beside = besideProgram() }: LoadProviderOptions): string => {
  if (!PACKAGE.test(name) || name.split('/').includes('..'))
    throw new NotUsed('it is neither the name of a package nor a path that begins with ./, ~/ or /.')
  for (const place of [pathToFileURL(join(home, 'package.json')).href, ...beside]) {
    try {
      return resolvePackage(name, place)
    } catch (cause) {
      if (Reflect.get(Object(cause), 'code') !== 'ERR_MODULE_NOT_FOUND') throw new NotUsed(`its package is broken: ${messageOf(cause)}.`)
    }
  }
  throw new NotUsed(`no package '${name}' is installed in '${home}' or beside this program. ${adviceFor(name, home)}`)
}

const findFile = async (name: string, home: string): Promise<string> => {
  const path = filePath(name, home)
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) throw new NotUsed(found ? `'${path}' is not a file.` : `there is no file '${path}'.`)
  const open = await whatOthersCanChange(path)
  if (open !== undefined) throw new NotUsed(open)
  return pathToFileURL(path).href
}

/** A module may wait for something while it loads; no program must start late because of it. */
const within = async <T>(limitMs: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new NotUsed(`it did not load within ${limitMs / 1_000} seconds.`)), limitMs)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

const importProvider = async (url: string, context: { home: string; options: Record<string, unknown> }): Promise<MemoryProvider> => {
  const loaded = await import(url).catch((cause: unknown) => {
    throw new NotUsed(`it could not be loaded: ${messageOf(cause)}.`)
  })
  const read = await readProvider(loaded, context)
  if ('problem' in read) throw new NotUsed(read.problem)
  return read.provider
}

const load = async (
  name: string,
  providerOptions: Readonly<Record<string, unknown>>,
  options: LoadProviderOptions,
): Promise<MemoryProvider> => {
  const { home, limitMs = LOAD_LIMIT_MS } = options
  const url = isFile(name) ? await findFile(name, home) : findPackage(SHORT_NAMES.get(name) ?? name, options)
  // Whoever can change the file decides what code runs here.
  const open = await whatOthersCanChange(join(home, 'config.yaml'))
  if (open !== undefined) throw new NotUsed(open)
  return within(limitMs, importProvider(url, { home, options: { ...providerOptions } }))
}

/**
 * Imports the package or file that `memory.provider` names. Its default export is a `MemoryProvider`, or a function
 * `({ home, options }) => MemoryProvider | Promise<MemoryProvider>`, which gets `memory.provider_options`. Packages are looked for in the home, then beside the
 * running program. Never rejects: what stops a provider is the `warning`, and the program goes on without it.
 */
export const loadProvider = async (
  { provider = '', providerOptions = {} }: ProviderSettings,
  options: LoadProviderOptions,
): Promise<LoadedProvider> => {
  const name = provider.trim()
  if (name === '') return {}
  try {
    return { provider: await load(name, providerOptions, options) }
  } catch (cause) {
    const why = cause instanceof NotUsed ? cause.message : `it could not be loaded: ${messageOf(cause)}.`
    return { warning: `The memory provider '${name}' of config.yaml is not used: ${why}` }
  }
}

export interface ProviderContext {
  /** Absolute path. */
  readonly home: string
  /** `memory.provider_options` of config.yaml. */
  readonly options: Readonly<Record<string, unknown>>
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A CommonJS module that a compiler made of an ES module has its default export below `default`. */
const defaultOf = (loaded: unknown): unknown => {
  const exported = isObject(loaded) ? Reflect.get(loaded, 'default') : undefined
  return isObject(exported) && Reflect.get(exported, '__esModule') === true ? Reflect.get(exported, 'default') : exported
}

const check = (provider: unknown, what: string): { readonly provider: MemoryProvider } | { readonly problem: string } => {
  const fault = providerFault(provider)
  return fault === undefined ? { provider: provider as MemoryProvider } : { problem: `${what} is no MemoryProvider: ${fault}.` }
}

export const readProvider = async (
  loaded: unknown,
  context: ProviderContext,
): Promise<{ readonly provider: MemoryProvider } | { readonly problem: string }> => {
  const exported = defaultOf(loaded)
  if (exported === undefined) return { problem: 'it has no default export.' }
  if (typeof exported !== 'function') return check(exported, 'its default export')
  let made: unknown
  try {
    made = await exported(context)
  } catch (cause) {
    return { problem: `its default export failed: ${(cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')}.` }
  }
  return check(made, 'what its default export returned')
}

const GROUP_OR_OTHERS_WRITE = 0o022
/** In such a folder, nobody can replace the files of others. */
const STICKY = 0o1000
const ROOT = 0

/** A clause with the command that mends it; undefined for a safe path, and for one that is not there. */
const faultOf = async (path: string, user: number): Promise<string | undefined> => {
  const found = await stat(path).catch(() => undefined)
  if (!found) return undefined
  const danger = 'could make this program run any code'
  if (found.uid !== user && found.uid !== ROOT) return `'${path}' belongs to another user, who ${danger}. Run: chown ${user} '${path}'`
  const isShared = (found.mode & GROUP_OR_OTHERS_WRITE) !== 0 && !(found.isDirectory() && (found.mode & STICKY) !== 0)
  return isShared ? `other users may write to '${path}', and ${danger}. Run: chmod go-w '${path}'` : undefined
}

/** Looks at the file, its folder, and at both of them behind a link. Undefined if they are safe, and where the system has no such modes. */
export const whatOthersCanChange = async (file: string): Promise<string | undefined> => {
  const user = process.getuid?.()
  if (user === undefined) return undefined
  const real = await realpath(file).catch(() => file)
  for (const path of new Set([dirname(file), file, dirname(real), real])) {
    const fault = await faultOf(path, user)
    if (fault !== undefined) return fault
  }
  return undefined
}
