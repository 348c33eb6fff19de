/** Loads the external memory provider that config.yaml names: for every program that works on a home. */
import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { HermesConfig } from '@hermes/core/config'
import type { MemoryProvider } from '@hermes/core/provider'
import { resolve as resolvePackage } from 'import-meta-resolve'
import { whatOthersCanChange } from './others-can-change.ts'
import { readProvider } from './read-provider.ts'

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

/** Whether the characters of `part` occur in `whole` in the same order: finds a name with one or two letters too few. */
const isWithin = (part: string, whole: string): boolean => {
  let at = 0
  for (const letter of whole) if (letter === part[at]) at += 1
  return at === part.length && whole.length - part.length <= 2
}

const isMisspelt = (given: string, known: string): boolean => isWithin(given, known) || isWithin(known, given)

const adviceFor = (name: string, home: string): string => {
  const known = [...SHORT_NAMES]
  const install = `Install it: npm install --prefix '${home}' ${name}`
  if (known.some(([, full]) => full === name)) return install
  const [meant] = known.find((names) => names.some((one) => isMisspelt(name, one))) ?? []
  if (meant !== undefined) return `Did you mean '${meant}'?`
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
