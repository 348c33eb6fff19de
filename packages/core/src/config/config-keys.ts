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

/** Keys of the same mappings that only Python Hermes reads. */
export const FOREIGN_KEYS: Readonly<Record<string, readonly string[]>> = {
  memory: ['provider', 'write_approval'],
  skills: [
    'external_dirs',
    'template_vars',
    'inline_shell',
    'inline_shell_timeout',
    'guard_agent_created',
    'write_approval',
    'ledger',
    'disabled',
    'platform_disabled',
  ],
  curator: ['prune_builtins', 'archive_ttl_days', 'auxiliary'],
  'curator.backup': ['keep'],
}
