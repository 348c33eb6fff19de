/** The options of the file system back end, with defaults, and their check. */
import { FACTS_PATH, MEMORY_ARCHIVE_PATH, MEMORY_PATHS } from '../storage-paths.ts'

export interface FileSystemBackendOptions {
  /**
   * Milliseconds until a call fails: with `locked` if another program holds the lock, with `io` if the disk hangs; at most 2^31-1. Of a long update, since the
   * disk last answered. Default 10,000.
   */
  readonly timeoutMs?: number
  /**
   * Called once if the lock does not exclude Python Hermes, once if the home was open to other users, and when an update that a crash had interrupted met a
   * document that another program had changed meanwhile. Its errors are ignored. Default: `process.emitWarning`, each message once a process.
   */
  readonly onWarning?: (message: string) => void
  /** The lock of a new home. `auto` (default): flock(2), which Python Hermes uses too, if available. `exclusive-file`: a lock file. */
  readonly lock?: 'auto' | 'exclusive-file'
  /**
   * Documents that may be symbolic links out of the home, such as into a dotfiles repository; so may their parent folders. Default: the
   * two memory documents, what is known of their entries, their archive and `config.yaml`.
   */
  readonly linkedDocuments?: readonly string[]
  /**
   * What the first write does to a home that other users of the machine can read. `private`: removes their access. `keep`: leaves the
   * permissions. Default: `private`, but `keep` if its folder has the set-group-id or sticky bit, or if a variable of Python Hermes
   * (`HERMES_HOME_MODE`, `HERMES_SHARED_HOME`, `HERMES_SKIP_CHMOD`, `HERMES_MANAGED`) says that it is shared.
   */
  readonly permissions?: 'private' | 'keep'
}

export const DEFAULT_TIMEOUT_MS = 10_000

export const DEFAULT_LINKED_DOCUMENTS: readonly string[] = [
  MEMORY_PATHS.memory,
  MEMORY_PATHS.user,
  FACTS_PATH,
  MEMORY_ARCHIVE_PATH,
  'config.yaml',
]

/** Maximum delay of a timer. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)

const quote = (value: unknown): string => {
  if (typeof value === 'string') return `${JSON.stringify(value)} (string)`
  const isPlain = value === null || (typeof value !== 'object' && typeof value !== 'function')
  return isPlain ? `${String(value)} (${typeOf(value)})` : `a value of type ${typeOf(value)}`
}

const refuse = (name: string, expected: string, value: unknown): TypeError =>
  new TypeError(
    `fileSystemBackend: '${name}' must be ${expected}, but is ${quote(value)}. See docs/configuration.md in the package @hermes/core for every option.`,
  )

const isTimeout = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= MAX_TIMEOUT_MS

const checks: Readonly<Record<keyof FileSystemBackendOptions, readonly [string, (value: unknown) => boolean]>> = {
  timeoutMs: [`a whole number of milliseconds from 0 to ${MAX_TIMEOUT_MS}`, isTimeout],
  onWarning: ['a function', (value) => typeof value === 'function'],
  lock: ["'auto' or 'exclusive-file'", (value) => value === 'auto' || value === 'exclusive-file'],
  permissions: ["'private' or 'keep'", (value) => value === 'private' || value === 'keep'],
  linkedDocuments: ["a list of document paths, such as ['config.yaml']", Array.isArray],
}

/** Throws a TypeError for a wrong or unknown option that names it and quotes its value. */
export const checkFileSystemOptions = (home: unknown, options: unknown): void => {
  if (typeof home !== 'string' || home === '' || home.includes('\0'))
    throw refuse('home', "the path of a folder, such as '~/.hermes'", home)
  if (typeof options !== 'object' || options === null) throw refuse('options', "an object, such as { lock: 'auto' }", options)
  for (const [name, value] of Object.entries(options)) {
    const known = Object.entries(checks).find(([option]) => option === name)
    if (!known) {
      const names = Object.keys(checks).join(', ')
      throw new TypeError(`fileSystemBackend: there is no option '${name}' (it is ${quote(value)}). The options are ${names}.`)
    }
    const [, [expected, isValid]] = known
    if (value !== undefined && !isValid(value)) throw refuse(name, expected, value)
    if (!Array.isArray(value)) continue
    for (const [index, path] of value.entries()) if (typeof path !== 'string') throw refuse(`${name}[${index}]`, 'a document path', path)
  }
}

const LOCK_FILE =
  'Hermes storage: flock(2) is not available here, so this home is guarded by a lock file, which a running Python Hermes does not see.'

/** Windows has no flock, with or without koffi. */
export const withoutFlockWarning = (platform: NodeJS.Platform): string =>
  platform === 'win32'
    ? `${LOCK_FILE} Do not let both write at once.`
    : `${LOCK_FILE} Install the optional package koffi (npm install koffi) before the home is created, or do not let both write at once.`
