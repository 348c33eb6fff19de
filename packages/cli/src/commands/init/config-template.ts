/** A config.yaml with every setting as a comment, with its default. The types demand a line for each setting of the schema. */
import { DEFAULT_MEMORY_NUDGE_INTERVAL, DEFAULT_SKILL_NUDGE_INTERVAL } from '@hermes/core'
import type { HermesConfig } from '@hermes/core/config'
import { AGEING_PRESETS, DEFAULT_CURATOR_INTERVAL_HOURS, DEFAULT_CURATOR_MIN_IDLE_HOURS, DEFAULT_RETAIN_WEEKS } from '@hermes/core/curator'
import { DEFAULT_MEMORY_CHAR_LIMIT, DEFAULT_USER_CHAR_LIMIT } from '@hermes/core/memory'

/** The value as YAML, and what the setting does. */
type Setting = readonly [value: string | number | boolean, what: string]

type Section<Settings> = { readonly [Key in keyof Required<Settings>]: Setting }

const MEMORY: Section<HermesConfig['memory']> = {
  memoryEnabled: [true, "offer MEMORY.md, the agent's own notes"],
  userProfileEnabled: [true, 'offer USER.md, what it knows about you'],
  memoryCharLimit: [DEFAULT_MEMORY_CHAR_LIMIT, 'characters of MEMORY.md, at most'],
  userCharLimit: [DEFAULT_USER_CHAR_LIMIT, 'characters of USER.md, at most'],
  nudgeInterval: [DEFAULT_MEMORY_NUDGE_INTERVAL, 'your turns between reviews of memory; 0 = never'],
  provider: ['""', 'searches past sessions: recall, another package, or a file such as ./provider.mjs'],
  providerOptions: ['{}', 'passed to the provider as they are'],
  providerTimeoutMs: [1500, 'the longest that a turn waits for the provider'],
  recallChars: [1600, 'recalled for a turn, at most; 0 = nothing'],
  shared: ['[]', 'folders with a MEMORY.md that a team shares, only read; a relative one starts from the home'],
  sharedCharLimit: [DEFAULT_MEMORY_CHAR_LIMIT, 'characters of the notes that a team shares, at most'],
  trustShared: [false, 'true: you vouch for these notes; else they count as text from outside'],
}

const SKILLS: Section<HermesConfig['skills']> = {
  creationNudgeInterval: [DEFAULT_SKILL_NUDGE_INTERVAL, 'steps that called tools between reviews of skills; 0 = never'],
  shared: ['[]', 'folders of skills that are read and never changed; a relative one starts from the home'],
}

const { staleAfterDays, archiveAfterDays } = AGEING_PRESETS.daily

const CURATOR: Section<Omit<HermesConfig['curator'], 'backup'>> = {
  enabled: [true, 'look after the skills: age, archive, back up'],
  intervalHours: [DEFAULT_CURATOR_INTERVAL_HOURS, 'hours between two runs'],
  minIdleHours: [DEFAULT_CURATOR_MIN_IDLE_HOURS, 'hours without activity before a run'],
  staleAfterDays: [staleAfterDays, 'days without use until a skill is stale'],
  archiveAfterDays: [archiveAfterDays, 'days without use until it is archived, or never'],
  neverActive: ['exempt', 'skills that were never used do not age; or from-creation, as in Python Hermes'],
  countBy: ['calendar', 'count all days; or active-days, those on which the agent was used'],
  reviewModel: ['some-model', "no default: a name that the host understands; else the host's model"],
  reviewPrice: ['3/15', 'no default: dollars per million tokens in and out, which hermes learn shows'],
  consolidate: [false, 'also merge skills, which calls a model'],
}

const BACKUP: Section<HermesConfig['curator']['backup']> = {
  enabled: [true, 'back all skills up before a run changes them'],
  retainWeeks: [DEFAULT_RETAIN_WEEKS, 'weeks that a backup is kept'],
}

const HEAD = `# Settings of Hermes. Every setting is here with its default, as a comment.
# To change one, remove the '#' before it and before the heading above it.
# Then run: hermes config check
`

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const NOTE_COLUMN = 34

const toLine = (indent: string, name: string, [value, what]: Setting): string => {
  const setting = `#${indent}${toSnakeCase(name)}: ${value}`
  return `${setting.padEnd(NOTE_COLUMN)}  # ${what}`
}

const linesOf = (settings: Readonly<Record<string, Setting>>, indent: string): readonly string[] =>
  Object.entries(settings).map(([name, setting]) => toLine(indent, name, setting))

/** Sets nothing until a line is changed. */
export const configTemplate = (): string =>
  [
    HEAD,
    '#memory:',
    ...linesOf(MEMORY, '  '),
    '',
    '#skills:',
    ...linesOf(SKILLS, '  '),
    '',
    '#curator:',
    ...linesOf(CURATOR, '  '),
    '#  backup:',
    ...linesOf(BACKUP, '    '),
    '',
  ].join('\n')
