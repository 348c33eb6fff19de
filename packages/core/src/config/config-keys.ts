/** The known keys of `config.yaml`: our own, and those of Python Hermes, which may share the home (reference skills-curator 19). */
import { hermesConfigSchema } from './hermes-config.ts'

export const toSnakeCase = (name: string): string =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase()

export const toCamelCase = (key: string): string => key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

const keysOf = (shape: Readonly<Record<string, unknown>>): readonly string[] => Object.keys(shape).map(toSnakeCase)

const { memory, skills, curator } = hermesConfigSchema.shape

/** Own keys by the path of their mapping; `''` is the top level. */
export const OWN_KEYS: Readonly<Record<string, readonly string[]>> = {
  '': keysOf(hermesConfigSchema.shape),
  memory: keysOf(memory.shape),
  skills: keysOf(skills.shape),
  curator: keysOf(curator.shape),
  'curator.backup': keysOf(curator.shape.backup.shape),
}

/** Mappings whose keys are not ours: they are passed on unchanged. */
export const FREE_MAPPINGS: ReadonlySet<string> = new Set(['memory.provider_options'])

/** Keys of the same mappings that only Python Hermes reads. */
export const FOREIGN_KEYS: Readonly<Record<string, readonly string[]>> = {
  memory: ['write_approval', 'archive_user', 'archive_on_failure'],
  skills: [
    'external_dirs',
    'template_vars',
    'inline_shell',
    'inline_shell_timeout',
    'guard_agent_created',
    'write_approval',
    'ledger',
    'ledger_max_bytes',
    'tier1_advisory',
    'disabled',
    'platform_disabled',
    'create_dir',
    'project_discovery',
    'trusted_project_dirs',
    'auto_load',
    'max_skill_md_chars',
    'size_warn_chars',
  ],
  curator: ['prune_builtins', 'archive_ttl_days', 'auxiliary'],
  'curator.backup': ['keep'],
}

// The known key that a misspelt key is closest to.

/** Longer than any known key. */
const MAX_KEY_LENGTH = 40

/** Counts insertions, deletions, substitutions and swaps of two neighbours. */
const editDistance = (from: string, to: string): number => {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwap = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current.push(
        Math.min(
          (last[column] ?? 0) + 1,
          (current[column - 1] ?? 0) + 1,
          (last[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}

/** `undefined` if no key is near or two are equally near. Other spellings of a key, such as `memoryEnabled`, have distance 0. */
export const nearKey = (key: string, known: readonly string[]): string | undefined => {
  if (key.length > MAX_KEY_LENGTH) return undefined
  const written = toSnakeCase(key.trim())
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(written, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, Math.floor(candidate.length / 4)))
    .sort((a, b) => a.distance - b.distance)
  const [best, second] = ranked
  return best && best.distance !== second?.distance ? best.candidate : undefined
}
