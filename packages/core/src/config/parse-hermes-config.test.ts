import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { createHermes } from '../create-hermes.ts'
import { inMemoryBackend } from '../storage/in-memory.ts'
import { readDocument, updateDocument } from '../storage/one-document.ts'
import { nearKey } from './config-keys.ts'
import { EMPTY_CONFIG, toHermesOptions } from './hermes-config.ts'
import { parseHermesConfig, readHermesConfig } from './parse-hermes-config.ts'

const read = (text: string) => {
  const parsed = parseHermesConfig(text)
  if (!parsed.ok) throw parsed.error
  return parsed.value
}

const refusal = (text: string) => {
  const parsed = parseHermesConfig(text)
  if (parsed.ok) throw new Error('It was accepted.')
  return parsed.error
}

describe('parseHermesConfig', () => {
  it('reads every setting of the seeds', () => {
    const { config, warnings } = read(`memory:
  memory_enabled: true
  user_profile_enabled: false
  memory_char_limit: 3000
  user_char_limit: 1500
  nudge_interval: 5
skills:
  creation_nudge_interval: 0
curator:
  enabled: true
  interval_hours: 168
  min_idle_hours: 2
  stale_after_days: 30
  archive_after_days: 90
  review_model: claude-haiku-4-5
  consolidate: true
  backup:
    enabled: false
    retain_weeks: 4
`)
    expect(warnings).toEqual([])
    expect(config).toEqual({
      memory: { memoryEnabled: true, userProfileEnabled: false, memoryCharLimit: 3000, userCharLimit: 1500, nudgeInterval: 5 },
      skills: { creationNudgeInterval: 0 },
      curator: {
        enabled: true,
        intervalHours: 168,
        minIdleHours: 2,
        staleAfterDays: 30,
        archiveAfterDays: 90,
        reviewModel: 'claude-haiku-4-5',
        consolidate: true,
        backup: { enabled: false, retainWeeks: 4 },
      },
    })
  })

  it.each(['', '\n', '# only a comment\n', '---\n', 'memory:\ncurator:\n  backup:\n', 'memory: {}\n', '\uFEFFmemory:\n'])(
    'takes %j for a file that sets nothing',
    (text) => {
      expect(read(text)).toEqual({
        config: { memory: {}, skills: {}, curator: { backup: {} } },
        settings: [],
        warnings: [],
        foreignKeys: [],
        unreadKeys: [],
      })
    },
  )

  it('reads folders of shared skills, each with its line', () => {
    const { config, settings, warnings } = read('skills:\n  shared:\n    - /srv/team/skills\n    # ours\n    - ~/skills\n')
    expect(config.skills).toEqual({ shared: ['/srv/team/skills', '~/skills'] })
    expect(settings).toEqual([
      { line: 3, key: 'skills.shared[0]', value: '/srv/team/skills' },
      { line: 5, key: 'skills.shared[1]', value: '~/skills' },
    ])
    expect(warnings).toEqual([])
    expect(read('skills: { shared: [a, b] }').config.skills.shared).toEqual(['a', 'b'])
    expect(read('x: &team /srv/team\nskills:\n  shared:\n    - *team\n').config.skills.shared).toEqual(['/srv/team'])
  })

  it.each([
    ['skills:\n  shared: /srv/team\n', 2, 'skills.shared', 'must be a list of folders, but is the text "/srv/team"'],
    ['skills:\n  shared:\n    - a\n    - 5\n', 4, 'skills.shared[1]', 'must be the path of a folder, but is 5'],
    ['skills:\n  shared:\n    - ""\n', 3, 'skills.shared[0]', 'must be the path of a folder, but is the text ""'],
    ['skills:\n  shared:\n    - name: a\n', 3, 'skills.shared[0]', 'must be the path of a folder, but is a mapping'],
    ['skills:\n  shared:\n    - a\n    -\n', 4, 'skills.shared[1]', 'must be the path of a folder, but is empty'],
    ['memory:\n  memory_enabled:\n    - true\n', 2, 'memory.memory_enabled', 'must be true or false, but is a list'],
  ])('refuses a value that is not a list of folders in %j', (text, line, key, message) => {
    expect(refusal(text).details['problems']).toEqual([{ line, key, message }])
  })

  it('reads yes, no, on and off as Python Hermes does', () => {
    expect(read('curator:\n  enabled: no\n  consolidate: On\n').config.curator).toMatchObject({ enabled: false, consolidate: true })
  })

  it('reads how never-used skills age, which days count, and that nothing is archived', () => {
    expect(read('curator:\n  never_active: from-creation\n  count_by: active-days\n  archive_after_days: never\n').config.curator).toEqual({
      neverActive: 'from-creation',
      countBy: 'active-days',
      archiveAfterDays: 'never',
      backup: {},
    })
  })

  it('leaves the sections and settings of Python Hermes alone', () => {
    const { warnings, foreignKeys, unreadKeys } = read(`model:
  provider: auto
  "odd key": [1, {2: 3}]
memory:
  write_approval: true
  archive_user: true
  archive_on_failure: abort
skills:
  ledger: false
  ledger_max_bytes: 100
  create_dir: ""
  project_discovery: true
  trusted_project_dirs: [~/src]
  auto_load: [deploy]
  max_skill_md_chars: null
  size_warn_chars: 20000
curator:
  prune_builtins: true
  backup: { keep: 5, retain_weeks: 2 }
terminal: { backend: local }
`)
    expect(warnings).toEqual([])
    expect(unreadKeys).toEqual(['model', 'terminal'])
    expect(foreignKeys).toEqual([
      'memory.write_approval',
      'memory.archive_user',
      'memory.archive_on_failure',
      'skills.ledger',
      'skills.ledger_max_bytes',
      ...['create_dir', 'project_discovery', 'trusted_project_dirs', 'auto_load', 'max_skill_md_chars', 'size_warn_chars'].map(
        (key) => `skills.${key}`,
      ),
      'curator.prune_builtins',
      'curator.backup.keep',
    ])
  })

  it.each([
    ['memory:\n  memory_char_limt: 5\n', 2, 'memory.memory_char_limt', "has no effect: did you mean 'memory.memory_char_limit'?"],
    ['memory:\n  memoryEnabled: true\n', 2, 'memory.memoryEnabled', "has no effect: did you mean 'memory.memory_enabled'?"],
    ['curator:\n  stale-after-days: 3\n', 2, 'curator.stale-after-days', "has no effect: did you mean 'curator.stale_after_days'?"],
    [
      'curator:\n  backup:\n    retain_week: 3\n',
      3,
      'curator.backup.retain_week',
      "has no effect: did you mean 'curator.backup.retain_weeks'?",
    ],
    ['skills:\n  colour: red\n', 2, 'skills.colour', 'has no effect: Hermes has no such setting'],
    ['other: 1\ncurater:\n  enabled: false\n', 2, 'curater', "has no effect: did you mean 'curator'?"],
  ])('warns of the misspelt key in %j', (text, line, key, message) => {
    expect(read(text).warnings).toEqual([{ line, key, message }])
  })

  it.each([
    ['memory:\n  memory_enabled: "false"\n', 2, 'must be true or false, but is the text "false"; write it without quotes'],
    ['memory:\n  memory_enabled: 1\n', 2, 'must be true or false, but is 1'],
    ['memory:\n  memory_enabled: [true]\n', 2, 'must be true or false, but is a list'],
    ['memory:\n\n  nudge_interval: "10"\n', 3, 'must be a whole number of turns, 0 or more, but is the text "10"; write it without quotes'],
    ['memory:\n  user_char_limit: -1\n', 2, 'must be a whole number of characters from 0 to 32768, but is -1'],
    ['memory:\n  user_char_limit: 1.5\n', 2, 'must be a whole number of characters from 0 to 32768, but is 1.5'],
    ['memory:\n  user_char_limit: .inf\n', 2, 'must be a whole number of characters from 0 to 32768, but is Infinity'],
    ['curator:\n  stale_after_days: 0\n', 2, 'must be a whole number of days, 1 or more, but is 0'],
    ['curator:\n  archive_after_days: soon\n', 2, 'must be a whole number of days, 1 or more, or never, but is the text "soon"'],
    ['curator:\n  never_active: always\n', 2, 'must be exempt or from-creation, but is the text "always"'],
    ['curator:\n  review_model: 5\n', 2, 'must be the name of a model, but is 5'],
    ['curator:\n  review_price: 3\n', 2, 'must be dollars per million tokens in and out, such as 3/15, but is 3'],
    ['curator:\n  review_model: {a: 1}\n', 2, 'must be the name of a model, but is a mapping'],
    ['curator:\n  backup: 4\n', 2, 'must be a mapping of settings, but is 4'],
    ['a: 1\ncurator: yes\n', 2, 'must be a mapping of settings, but is true'],
    ['memory: [a]\n', 1, 'must be a mapping of settings, but is a list'],
  ])('refuses %j', (text, line, message) => {
    const error = refusal(text)
    expect(error.code).toBe('invalid')
    expect(error.details['problems']).toEqual([{ line, key: expect.any(String), message }])
    expect(error.message).toContain(`config.yaml, line ${line}: '`)
    expect(error.message).toContain(message)
  })

  it.each([
    ['memory: [1, 2\n', /line 2: it is not YAML/],
    ['memory:\n  a: 1\n b: 2\n', /line 3: it is not YAML/],
    ['- a\n- b\n', /line 1: it holds no 'key: value' lines/],
    ['just text\n', /line 1: it holds no 'key: value' lines/],
    ['memory:\n  nudge_interval: *nothing\n', /line 2: it is not YAML|refers to nothing/],
    ['memory: {}\n---\nmemory: {}\n', /not YAML/],
  ])('refuses %j as a whole', (text, message) => {
    expect(refusal(text)).toMatchObject({ code: 'invalid', message: expect.stringMatching(message) })
  })

  it('refuses what is nested without end', () => {
    expect(refusal(`a: ${'['.repeat(20_000)}`)).toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('deeper than 64 levels'),
    })
  })

  it('refuses merges that unfold without end, wherever they are asked for', () => {
    const doubling = Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} {<<: [*a${index}, *a${index}]}`)
    const unfolding = ['a0: &a0 {enabled: true}', ...doubling, 'curator:', '  <<: *a30'].join('\n')
    expect(refusal(unfolding)).toMatchObject({ code: 'invalid', message: expect.stringContaining('more than 100 mappings') })
  })

  it.each([
    ['too long', `# ${'x'.repeat(262_144)}\n`, 'longer than 262144 characters'],
    ['of too many lines', 'a:\n'.repeat(10_000), 'more than 12000 keys, values and marks'],
  ])('refuses a file that is %s, with the limit', (_, text, limit) => {
    expect(refusal(text)).toMatchObject({ code: 'invalid', message: expect.stringContaining(limit) })
  })

  it('lets the last of two equal keys count, as Python Hermes does, and says so', () => {
    const { config, warnings } = read('memory:\n  nudge_interval: 3\n  nudge_interval: 4\n')
    expect(config.memory.nudgeInterval).toBe(4)
    expect(warnings).toMatchObject([{ line: 3, key: 'memory.nudge_interval' }])
  })

  it('follows anchors and merges, own keys first', () => {
    const { config } = read(
      'base: &base\n  enabled: false\n  interval_hours: 5\nhours: &h 7\ncurator:\n  <<: *base\n  enabled: true\n  min_idle_hours: *h\n',
    )
    expect(config.curator).toEqual({ enabled: true, intervalHours: 5, minIdleHours: 7, backup: {} })
  })

  it('ends with a mapping that merges itself', () => {
    expect(read('curator: &c\n  <<: *c\n  enabled: true\n').config.curator.enabled).toBe(true)
  })
})

const problemsOf = (text: string) => {
  const parsed = parseHermesConfig(text)
  if (parsed.ok) throw new Error('It was accepted.')
  return parsed.error.details['problems']
}

describe("'memory.provider' in config.yaml", () => {
  it('is a name, and its options are any mapping', () => {
    const { config, settings, warnings } = read(`memory:
  provider: recall
  provider_options:
    retain_days: 90
    api_key: secret
    servers: [{ host: a, ports: [1, 2] }, b]
    nested: { Fast: yes, empty: ~ }
`)
    expect(config.memory).toEqual({
      provider: 'recall',
      providerOptions: {
        retain_days: 90,
        api_key: 'secret',
        servers: [{ host: 'a', ports: [1, 2] }, 'b'],
        nested: { Fast: true, empty: null },
      },
    })
    expect(settings).toEqual([
      { line: 2, key: 'memory.provider', value: 'recall' },
      { line: 3, key: 'memory.provider_options', value: 'retain_days, api_key, servers, nested' },
    ])
    expect(warnings).toEqual([])
  })

  it('is for the host to load: it is not among the options', () => {
    const { config } = read('memory: { provider: recall, provider_options: { a: 1 }, nudge_interval: 3, user_char_limit: 9 }\n')
    expect(toHermesOptions(config)).toMatchObject({ memory: { userCharLimit: 9 }, nudge: { memoryInterval: 3 } })
    expect(toHermesOptions(config).memory).toEqual({ userCharLimit: 9 })
  })

  it('has limits in the file that are those of the library', () => {
    const parsed = read('memory: { recall_chars: 16000, provider_timeout_ms: 2147483647 }\n')
    expect(toHermesOptions(parsed.config).memory).toEqual({ recallChars: 16_000, providerTimeoutMs: 2_147_483_647 })
    const storage = inMemoryBackend()
    expect(() => createHermes({ storage, ...toHermesOptions(parsed.config) })).not.toThrow()
    for (const [text, memory] of [
      ['recall_chars: 16001', { recallChars: 16_001 }],
      ['recall_chars: -1', { recallChars: -1 }],
      ['provider_timeout_ms: 0', { providerTimeoutMs: 0 }],
      ['provider_timeout_ms: 2147483648', { providerTimeoutMs: 2_147_483_648 }],
    ] as const) {
      expect(problemsOf(`memory: { ${text} }\n`)).toMatchObject([{ message: expect.stringContaining('a whole number of') }])
      expect(() => createHermes({ storage, memory })).toThrow(TypeError)
    }
  })

  it('may be empty, as in the file that Python Hermes writes', () => {
    expect(read("memory:\n  provider: ''\n").warnings).toEqual([])
    expect(read('memory:\n  provider:\n').config.memory).toEqual({})
  })

  it.each([
    ['memory:\n  provider: [recall, honcho]\n', 2, 'memory.provider', 'one package, or the path of one file, but is a list'],
    ['memory:\n  provider: 5\n', 2, 'memory.provider', 'but is 5'],
    ['memory:\n  provider: a\n  provider_options: fast\n', 3, 'memory.provider_options', 'a mapping of options, but is the text "fast"'],
    ['memory:\n  provider: a\n  provider_options: [a]\n', 3, 'memory.provider_options', 'a mapping of options, but is a list'],
    ['memory:\n  provider: a\n  provider_options: &o\n    self: *o\n', 3, 'memory.provider_options', 'must not contain itself'],
  ])('refuses %j', (text, line, key, message) => {
    expect(problemsOf(text)).toEqual([{ line, key, message: expect.stringContaining(message) }])
  })

  it('warns of options without a provider, and of a misspelt key', () => {
    expect(read('memory:\n  provider_options: { a: 1 }\n').warnings).toMatchObject([{ line: 2, key: 'memory.provider_options' }])
    expect(read('memory:\n  providr: recall\n').warnings).toMatchObject([{ message: expect.stringContaining("'memory.provider'") }])
  })

  it('follows aliases and merges, and refuses options that they expand without end', () => {
    const { config } = read('base: &base { a: 1, b: &b [x] }\nmemory:\n  provider: p\n  provider_options: { <<: *base, a: 2, c: *b }\n')
    expect(config.memory.providerOptions).toEqual({ a: 2, b: ['x'], c: ['x'] })
    const levels = Array.from({ length: 20 }, (_, level) => `l${level + 1}: &l${level + 1} [*l${level}, *l${level}]`).join('\n')
    const started = cpuMs()
    expect(problemsOf(`l0: &l0 [x]\n${levels}\nmemory:\n  provider: p\n  provider_options: { all: *l20 }\n`)).toMatchObject([
      { message: expect.stringContaining('at most 1,000 values') },
    ])
    expect(cpuMs() - started).toBeLessThan(500)
  })
})

const homeWith = async (bytes: Uint8Array) => {
  const storage = inMemoryBackend()
  await updateDocument(storage, 'config.yaml', () => bytes)
  return storage
}

describe('readHermesConfig', () => {
  it('sets nothing if there is no file', async () => {
    expect(await readHermesConfig(inMemoryBackend())).toMatchObject({ ok: true, value: { config: EMPTY_CONFIG, warnings: [] } })
  })

  it('refuses what is not UTF-8, and leaves it there', async () => {
    const storage = await homeWith(Uint8Array.of(0xff, 0xfe, 0x00))
    expect(await readHermesConfig(storage)).toMatchObject({ ok: false, error: { code: 'unreadable' } })
    expect(await readDocument(storage, 'config.yaml')).toMatchObject({ value: { bytes: Uint8Array.of(0xff, 0xfe, 0x00) } })
  })

  it('passes on what the storage says', async () => {
    const storage = inMemoryBackend()
    await storage.close()
    expect(await readHermesConfig(storage)).toMatchObject({ ok: false, error: { code: 'closed' } })
  })
})

describe('toHermesOptions', () => {
  it('gives createHermes what the file sets, and no more', async () => {
    const storage = await homeWith(new TextEncoder().encode('memory:\n  user_char_limit: 99\n  memory_enabled: no\n  nudge_interval: 3\n'))
    const reading = await readHermesConfig(storage)
    if (!reading.ok) throw reading.error
    const options = toHermesOptions(reading.value.config)
    expect(options).toEqual({ memory: { memoryEnabled: false, userCharLimit: 99 }, nudge: { memoryInterval: 3 }, curator: { backup: {} } })
    const store = createHermes({ storage, ...options }).memoryStore()
    expect([store.charLimit('user'), store.charLimit('memory'), store.isEnabled('memory'), store.isEnabled('user')]).toEqual([
      99,
      2200,
      false,
      true,
    ])
  })

  it('passes the curator on as createHermes takes it, but for the name of its model', async () => {
    const storage = await homeWith(
      new TextEncoder().encode(
        'curator:\n  enabled: no\n  archive_after_days: never\n  count_by: active-days\n  review_model: small\n  backup: { retain_weeks: 2 }\n',
      ),
    )
    const reading = await readHermesConfig(storage)
    if (!reading.ok) throw reading.error
    const options = toHermesOptions(reading.value.config)
    expect(options.curator).toEqual({ enabled: false, archiveAfterDays: 'never', countBy: 'active-days', backup: { retainWeeks: 2 } })
    expect(() => createHermes({ storage, ...options })).not.toThrow()
  })

  it('calls the nudge for skills by its own name', () => {
    expect(toHermesOptions({ ...EMPTY_CONFIG, skills: { creationNudgeInterval: 7 } }).nudge).toEqual({ skillInterval: 7 })
  })
})

describe('nearKey', () => {
  const known = ['memory', 'skills', 'curator']

  it.each([
    ['memroy', 'memory'],
    ['skill', 'skills'],
    ['Curator', 'curator'],
    ['curatr', 'curator'],
  ])('takes %s for %s', (key, near) => {
    expect(nearKey(key, known)).toBe(near)
  })

  it.each(['model', 'tools', 'mcp_servers', ''])('takes %j for none of them', (key) => {
    expect(nearKey(key, known)).toBeUndefined()
  })

  it('does not compare what is too long for a key', () => {
    expect(nearKey('memory'.repeat(100_000), known)).toBeUndefined()
  })
})
