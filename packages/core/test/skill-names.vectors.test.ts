/** Replays the golden skill-name vectors (made by running Python Hermes and the open format's validator) on the pure checks. */
import { describe, expect, it } from 'vitest'
import { checkNewSkill, checkSkillEdit, parseSkillDocument } from '../src/skills/parse-skill-document.ts'
import { isSkillProblem, MAX_SKILL_CHARS, type SkillProblemCode } from '../src/skills/skill-document.ts'
import { checkSkillCategory, checkSkillName } from '../src/skills/skill-name.ts'
import { checkSupportFilePath } from '../src/skills/support-file.ts'
import { loadVectors } from './support/load-vectors.ts'

interface Verdict {
  readonly ok: boolean
  readonly error?: string
  readonly errors?: readonly string[]
}

interface VectorCase {
  readonly name: string
  readonly kind: string
  readonly value?: unknown
  readonly content?: string | { readonly prefix: string; readonly repeat: string; readonly times: number }
  readonly hermes?: Verdict
  readonly hermesCreate?: Verdict
  readonly hermesEdit?: Verdict
  readonly hermesReads?: { readonly name: unknown; readonly description: unknown }
  readonly spec?: Verdict
}

/** An intended difference, recognised by the content of the case, so that it also applies to other vectors of the format. */
interface Deviation<T> {
  readonly name: string
  readonly reason: string
  readonly applies: (subject: T, each: VectorCase) => boolean
  readonly instead: (subject: T) => void
}

const deviceName = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

const refusedAs = (result: { ok: boolean; error?: { code: string; message: string } }, code: string, message: RegExp) => {
  expect(result.ok).toBe(false)
  expect(result.error?.code).toBe(code)
  expect(result.error?.message).toMatch(message)
}

/** Both rule sets apply: a name that one of them refuses is refused. */
const NAME_DEVIATIONS: readonly Deviation<string>[] = [
  {
    name: 'white-space-around',
    reason: 'the pattern of Python lets a final line break through, and the open format trims; here the checked name is the used one',
    applies: (value) => value !== value.trim(),
    instead: (value) => refusedAs(checkSkillName(value), 'invalid', /only a–z|blank/),
  },
  {
    name: 'device-name',
    reason: 'a home that is shared with Windows could not hold the folder',
    applies: (value) => deviceName.test(value),
    instead: (value) => refusedAs(checkSkillName(value), 'invalid', /Windows|only a–z/),
  },
  {
    name: 'unseen-folder',
    reason: 'no search for skills enters it, so the skill would be lost at once',
    applies: (value) => ['venv', 'site-packages'].includes(value),
    instead: (value) => refusedAs(checkSkillName(value), 'invalid', /not searched for skills/),
  },
]

const CATEGORY_DEVIATIONS: readonly Deviation<unknown>[] = [
  {
    name: 'trailing-white-space',
    reason: 'Python checks it trimmed and uses it raw; here the trimmed one is used',
    applies: (value, each) => typeof value === 'string' && value !== value.trim() && each.hermes?.ok === true,
    instead: (value) => expect(checkSkillCategory(value as string)).toEqual({ ok: true, value: String(value).trim() }),
  },
  {
    name: 'unportable',
    reason: 'a folder with a final dot or the name of a device cannot lie on every disk; some folders no search enters',
    applies: (value) =>
      typeof value === 'string' && (/\.$/.test(value) || deviceName.test(value) || /^(?:venv|site-packages|node_modules)$/.test(value)),
    instead: (value) => expect(checkSkillCategory(value as string).ok).toBe(false),
  },
]

const FILE_DEVIATIONS: readonly Deviation<string>[] = [
  {
    name: 'skill-md-not-addressable',
    reason: 'it was a way around the checks of SKILL.md, and planted skills inside skills',
    applies: (value) => value.split('/').some((segment) => segment.toLowerCase() === 'skill.md'),
    instead: (value) => refusedAs(checkSupportFilePath(value), 'invalid_path', /SKILL\.md|plain names/),
  },
  {
    name: 'one-way-to-write-a-path',
    reason: 'doubled and final slashes would make two names of one document',
    applies: (value) => /\/\/|\/$|^\.\/|\/\.\//.test(value),
    instead: (value) => refusedAs(checkSupportFilePath(value), 'invalid_path', /plain names between single slashes/),
  },
  {
    name: 'longer-than-a-file-name',
    reason: 'no disk holds a name of more than 255 bytes, and no document path is longer than 1024',
    applies: (value) => Buffer.byteLength(value) > 1024 || value.split('/').some((segment) => Buffer.byteLength(segment) > 255),
    instead: (value) => refusedAs(checkSupportFilePath(value), 'invalid_path', /plain names/),
  },
  {
    name: 'unportable-path',
    reason: 'another platform would read it as another file, or as none',
    applies: (value) => /[\p{Cc}\\:*?"<>|]|[. ](?:\/|$)/u.test(value) || value.split('/').some((segment) => deviceName.test(segment)),
    instead: (value) => refusedAs(checkSupportFilePath(value), 'invalid_path', /plain names|Windows/),
  },
]

const GOOD = '---\nname: demo\ndescription: Does a thing.\n---\n\n# Demo\n\nDo it.\n'

interface Skill {
  readonly text: string
  readonly create: ReturnType<typeof checkNewSkill>
}

const onlyForeignKeys = (each: VectorCase): boolean =>
  each.spec?.ok === false && (each.spec.errors ?? []).every((error) => error.startsWith('Unexpected fields'))

const holdsKeyTwice = (text: string): boolean =>
  parseSkillDocument(text, { folderName: 'demo' }).diagnostics.some(({ code }) => code === 'duplicate_key')

const DUPLICATE_KEY: Deviation<Skill> = {
  name: 'duplicate-key',
  reason: 'programs differ on which of the two counts; the validator of the open format refuses it too, with its own YAML reader',
  applies: ({ text }) => holdsKeyTwice(text),
  instead: ({ text, create }) => {
    refusedAs(create, 'invalid', /twice/)
    refusedAs(checkSkillEdit(GOOD, text, 'demo'), 'invalid', /twice/)
  },
}

const CREATE_DEVIATIONS: readonly Deviation<Skill>[] = [
  DUPLICATE_KEY,
  {
    name: 'description-over-60',
    reason: 'the open format allows 1024 and other agents choose skills by it; Python only lists less of it, so it is a note',
    applies: (_, each) => each.hermesCreate?.error === 'description-over-60',
    instead: ({ create }) => expect(create.ok && create.value.diagnostics.map(({ code }) => code)).toEqual(['description_cut']),
  },
  {
    name: 'foreign-keys',
    reason: 'skills of Python Hermes carry keys that the open format does not know; they do no harm and are kept',
    applies: (_, each) => each.hermesCreate?.ok === true && onlyForeignKeys(each),
    instead: ({ create }) => expect(create.ok && create.value.diagnostics.map(({ code }) => code)).toContain('foreign_key'),
  },
]

/** Error messages of Hermes with the diagnostic here. Its other errors have no such counterpart. */
const ERROR_CODES: Readonly<Record<string, readonly SkillProblemCode[]>> = {
  empty: ['no_front_matter'],
  'no-opening-fence': ['no_front_matter'],
  'no-closing-fence': ['unclosed_front_matter', 'no_body'],
  'no-body': ['no_body'],
  yaml: ['yaml', 'opening_fence'],
  'not-mapping': ['not_a_mapping'],
  'no-name': ['no_name'],
  'no-description': ['no_description'],
  'description-over-1024': ['description_too_long'],
  'too-large': ['too_large'],
}

/** Python accepts the edit; here it is refused if it adds a problem that the skill did not have before. */
const editIsAccepted = (each: VectorCase): boolean => each.hermesEdit?.ok === true && (each.spec?.ok !== false || onlyForeignKeys(each))

const textOf = ({ content = '' }: VectorCase): string =>
  typeof content === 'string' ? content : content.prefix + content.repeat.repeat(content.times)

const nameAndDescription = (text: string) => {
  const { name, description } = parseSkillDocument(text, { folderName: 'demo' })
  return { name, description }
}

const cutDescription = (value: unknown): unknown => (typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined)

const vectors = loadVectors<{ readonly cases: readonly VectorCase[] }>('skill-names')
const ofKind = (kind: string) => (vectors?.cases ?? []).filter((each) => each.kind === kind)

const noteOf = <T>(deviation: Deviation<T> | undefined): string =>
  deviation ? ` — differs on purpose (${deviation.name}: ${deviation.reason})` : ''

const replay = <T>(
  kind: string,
  deviations: readonly Deviation<T>[],
  toSubject: (each: VectorCase) => T,
  check: (each: VectorCase) => void,
): void => {
  for (const each of ofKind(kind)) {
    const subject = toSubject(each)
    const deviation = deviations.find(({ applies }) => applies(subject, each))
    it(`${each.name}${noteOf(deviation)}`, () => (deviation ? deviation.instead(subject) : check(each)))
  }
}

describe.skipIf(!vectors)('skill-name vectors', () => {
  if (!vectors) it.skip('the folder of vectors has no skill-names.json')

  replay(
    'name',
    NAME_DEVIATIONS,
    ({ value }) => String(value),
    ({ value, hermes, spec }) => {
      expect(checkSkillName(value as string).ok).toBe(hermes?.ok === true && spec?.ok !== false)
    },
  )

  replay(
    'category',
    CATEGORY_DEVIATIONS,
    ({ value }) => value,
    ({ value, hermes }) => {
      expect(checkSkillCategory(value as string | null).ok).toBe(hermes?.ok)
    },
  )

  replay(
    'file-path',
    FILE_DEVIATIONS,
    ({ value }) => String(value),
    ({ value, hermes }) => {
      expect(checkSupportFilePath(value as string).ok).toBe(hermes?.ok)
    },
  )

  describe('creating', () => {
    const toSkill = (each: VectorCase): Skill => ({ text: textOf(each), create: checkNewSkill(textOf(each), 'demo') })
    replay('frontmatter', CREATE_DEVIATIONS, toSkill, (each) => {
      const created = checkNewSkill(textOf(each), 'demo')
      expect(created.ok).toBe(each.hermesCreate?.ok === true && each.spec?.ok !== false)
      const codes = ERROR_CODES[each.hermesCreate?.error ?? '']
      if (!created.ok && codes) {
        const found = (created.error.details['problems'] as { code: SkillProblemCode }[]).map(({ code }) => code)
        expect(
          codes.some((code) => found.includes(code)),
          found.join(),
        ).toBe(true)
      }
    })
  })

  describe('editing a sound skill', () => {
    replay<Skill>(
      'frontmatter',
      [DUPLICATE_KEY],
      (each) => ({ text: textOf(each), create: checkNewSkill(textOf(each), 'demo') }),
      (each) => {
        expect(checkSkillEdit(GOOD, textOf(each), 'demo').ok).toBe(editIsAccepted(each))
      },
    )
  })

  describe('editing a skill that has the same faults already', () => {
    replay<string>('frontmatter', [], textOf, (each) => {
      const grows = [...textOf(each)].length >= MAX_SKILL_CHARS
      expect(checkSkillEdit(textOf(each), `${textOf(each)}${grows ? '' : '\nx'}`, 'demo').ok).toBe(true)
    })
  })

  describe('reading', () => {
    const READ_DEVIATIONS: readonly Deviation<string>[] = [
      {
        name: 'double-mark',
        reason: 'writing takes any number of byte order marks away, so reading does as well',
        applies: (text) => text.startsWith('\ufeff\ufeff'),
        instead: (text) => expect(nameAndDescription(text)).toEqual({ name: 'demo', description: 'x' }),
      },
      {
        name: 'closing-fence-is-last-line',
        reason: 'the open format reads such a skill; only its body is missing',
        applies: (text) => /\n---$/.test(text),
        instead: (text) => expect(nameAndDescription(text)).toEqual({ name: 'demo', description: 'x' }),
      },
      {
        name: 'hostile-name',
        reason: 'a path must not become the key of a record',
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these names are refused
        applies: (_, each) => /[/\\\u0000-\u001f]|^\.{1,2}$|^.{256}/.test(String(each.hermesReads?.name)),
        instead: (text) => expect(nameAndDescription(text).name).toBe('demo'),
      },
      {
        name: 'plain-values-as-written',
        reason: 'a name such as 1.0 or yes is a text here, not what YAML makes of it; a list or map is no text',
        applies: (_, { hermesReads }) =>
          [hermesReads?.name, hermesReads?.description].some((value) => value !== null && typeof value !== 'string'),
        instead: (text) => {
          const { name, description } = nameAndDescription(text)
          expect(name === 'demo' || text.includes(`name: ${name}`), name).toBe(true)
          expect(text).toContain(description)
        },
      },
    ]
    replay('frontmatter', READ_DEVIATIONS, textOf, (each) => {
      const { name, description, body, diagnostics } = parseSkillDocument(textOf(each), { folderName: 'demo' })
      const reads = each.hermesReads
      // The folder is the default for a name, the body for a description.
      expect(name).toBe(reads?.name ?? 'demo')
      const expected = cutDescription(reads?.description)
      if (expected !== undefined) return expect(description).toBe(expected)
      expect(body).toContain(description)
      expect(diagnostics.filter(isSkillProblem)).not.toEqual([])
    })
  })
})

// The kinds `symlink` and `lookup` need the skill store and real folders; they are replayed with it.
const REPLAYED_WITH_THE_STORE = ['symlink', 'lookup']

it.skipIf(!vectors)('no kind of case is passed over', () => {
  const kinds = new Set((vectors?.cases ?? []).map(({ kind }) => kind))
  for (const kind of ['name', 'category', 'frontmatter', 'file-path', ...REPLAYED_WITH_THE_STORE]) kinds.delete(kind)
  expect([...kinds]).toEqual([])
})
