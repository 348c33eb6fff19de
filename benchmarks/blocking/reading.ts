/** Crafted inputs for the readers of skills and related documents. No case may block the event loop for more than 50 ms. */
import { parseHermesConfig } from '../../packages/core/src/config/parse-hermes-config.ts'
import { parseSkillDocument } from '../../packages/core/src/skills/parse-skill-document.ts'
import { patchSkillText, type SkillPatch } from '../../packages/core/src/skills/patch/patch-skill.ts'
import { renderSkillCatalog } from '../../packages/core/src/skills/skill-catalog.ts'
import { SkillStore } from '../../packages/core/src/skills/skill-store.ts'
import { inMemoryBackend } from '../../packages/core/src/storage/in-memory.ts'
import type { StoredDocument } from '../../packages/core/src/storage/storage-backend.ts'
import { decodeSidecar } from '../../packages/core/src/usage/usage-sidecar.ts'
import { type BlockingCase, repeated } from './case.ts'

const MIB = 1_048_576

const toDocument = (text: string): StoredDocument => ({ bytes: new TextEncoder().encode(text) })

const patchCase = (name: string, content: string, patch: SkillPatch): BlockingCase => ({
  name: `patch: ${name}`,
  run: () => patchSkillText(content, patch),
})

const words = Array.from({ length: 40_000 }, (_, index) => `word${(index * 7_919) % 40_009}`)

const patchesOf = (chars: number): readonly BlockingCase[] => {
  const label = (what: string) => `${what}, ${chars.toLocaleString('en')} characters`
  const lines = words.join(' \n').repeat(4).slice(0, chars)
  const prose = words.join(' ').repeat(4).slice(0, chars)
  const smart = repeated('\u201cso\u201d \u2014 \u2026', chars)
  const some = { newText: 'something else' }
  return [
    patchCase(label('one letter, every place'), repeated('a', chars), { oldText: 'a', newText: 'b', replaceAll: true }),
    patchCase(label('one letter, many places'), repeated('a', chars), { oldText: 'a', newText: 'b' }),
    patchCase(label('one line, many places'), repeated(' a\n', chars), { oldText: 'a\na', newText: 'b', replaceAll: true }),
    patchCase(label('not there'), lines, { oldText: 'word1x\nword2x\nword3x', ...some }),
    patchCase(label('half of it, not there'), lines, { oldText: `${lines.slice(0, chars / 2)}!`, ...some }),
    patchCase(label('half of it on one line, not there'), prose, { oldText: `${prose.slice(1, chars / 2)}!`, ...some }),
    patchCase(label('white space'), repeated(' \t\n', chars), { oldText: repeated('\t \n', chars / 2).concat('x'), ...some }),
    patchCase(label('spaces of one line'), `${repeated(' ', chars)}x`, { oldText: `${repeated('\t', chars / 2)} x`, ...some }),
    patchCase(label('typography kept'), smart, { oldText: repeated('"so" -- ...', chars / 2), newText: repeated('"os" -- ..', chars / 2) }),
    patchCase(label('typography, every place'), smart, {
      oldText: '"so" -- ...',
      newText: repeated('"os" -- ..', 2_000),
      replaceAll: true,
    }),
    patchCase(label('backslashes'), repeated('\\', chars), { oldText: repeated('\\\\"', chars / 2), newText: repeated("\\'", chars / 2) }),
    patchCase(label('escapes'), repeated('a\tb\n', chars), {
      oldText: repeated('a\\tb\\n', chars / 2),
      newText: repeated('\\t', chars / 2),
    }),
    patchCase(label('indents, every place'), repeated(`${' '.repeat(50)}a\n`, chars), {
      oldText: ' a\n',
      newText: 'b\n'.repeat(50),
      replaceAll: true,
    }),
    patchCase(label('CRLF'), repeated('a\r\n', chars), { oldText: 'a\n', newText: 'b\n'.repeat(20), replaceAll: true }),
  ]
}

const frontMatters: Readonly<Record<string, string>> = {
  'a million lines': 'k: v\n'.repeat(1_000_000),
  'lists without end': `x: ${'['.repeat(MIB)}`,
  'maps without end': `x: ${'{a: '.repeat(8_000)}`,
  'list of empty items': `x: [${'a,'.repeat(16_000)}]`,
  keys: Array.from({ length: 4_000 }, (_, index) => `k${index}: x`).join('\n'),
  'keys with colons': Array.from({ length: 3_000 }, (_, index) => `k${index}: a: b`).join('\n'),
  'blank keys': ':\n'.repeat(16_000),
  merges: `a: &a {b: 1}\n${'<<: *a\n'.repeat(4_500)}`,
  aliases: [
    'a: &a [x, x]',
    ...Array.from(
      { length: 12 },
      (_, index) => `b${index}: &b${index} [*${index === 0 ? 'a' : `b${index - 1}`}, *${index === 0 ? 'a' : `b${index - 1}`}]`,
    ),
  ].join('\n'),
  'one quoted text': `x: "${'\\n'.repeat(16_000)}"`,
  'an open quote': `x: "${'\\"'.repeat(16_000)}`,
  'open quotes': `x: "\n`.repeat(6_000),
  tags: `x: ${'!!a '.repeat(8_000)}`,
  comments: '#\n'.repeat(16_000),
  'one line': `x: ${'a'.repeat(MIB)}`,
  'one folded text': `x: a\n${'  b\n'.repeat(8_000)}`,
  hashes: `x: ${'# '.repeat(16_000)}`,
}

const skillOf = (frontMatter: string): string => `---\n${frontMatter}\n---\nbody\n`

const configs: Readonly<Record<string, string>> = {
  'three hundred thousand lines': 'a: 1\n'.repeat(300_000),
  keys: Array.from({ length: 2_400 }, (_, index) => `k${index}: x`).join('\n'),
  'misspelt keys': `memory:\n${Array.from({ length: 2_300 }, (_, index) => `  memory_limit_${index}: 1`).join('\n')}`,
  merges: `memory: &a\n${Array.from({ length: 500 }, (_, index) => `  k${index}: 1`).join('\n')}\ncurator:\n${'  <<: *a\n'.repeat(900)}`,
  'merged merges': [
    'a0: &a0 {k: 1}',
    ...Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} {<<: [*a${index}, *a${index}]}`),
    'memory:',
    '  <<: *a30',
  ].join('\n'),
  nested: Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
  comments: '# a comment\n'.repeat(20_000),
  'one text': `a: ${'b '.repeat(130_000)}`,
  'blank lines': '\n'.repeat(260_000),
}

/** As large as may be read: above 10 MiB they are refused by their size. */
const sidecars: Readonly<Record<string, string>> = {
  'lists without end': `{"a": ${'['.repeat(9 * MIB)}`,
  numbers: `{"a": [${'1,'.repeat(390_000)}1]}`,
  'numbers with a point': `{"a": [${'1.0,'.repeat(390_000)}1]}`,
  'one text': `{"a": "${'b'.repeat(9 * MIB)}"}`,
  backslashes: `{"a": "${'\\\\'.repeat(4 * MIB)}"}`,
  'ten thousand skills': JSON.stringify(
    Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [
        `skill-${index}`,
        {
          created_by: 'agent',
          state: 'active',
          pinned: false,
          use_count: 3,
          view_count: 4,
          last_used_at: '2026-05-01T00:00:00.123456+00:00',
          created_at: '2026-05-01T00:00:00+00:00',
        },
      ]),
    ),
  ),
}

const library = (count: number, description: string): SkillStore =>
  new SkillStore({
    storage: inMemoryBackend(
      new Map(
        Array.from({ length: count }, (_, index) => [
          `skills/s${index}/SKILL.md`,
          toDocument(`---\nname: s${index}\ndescription: ${description}\nmetadata: {a: [1, 2]}\n---\nbody\n`),
        ]),
      ),
    ),
  })

const entries = (count: number, name: (index: number) => string, description: string) =>
  Array.from({ length: count }, (_, index) => ({
    name: name(index),
    description,
    category: index % 2 === 0 ? undefined : `c${index % 100}`,
    state: index % 3 === 0 ? ('stale' as const) : ('active' as const),
    lastActivityAt: index,
    pinned: false,
  }))

const catalogCase = (name: string, ...given: Parameters<typeof renderSkillCatalog>): BlockingCase => ({
  name: `catalogue: ${name}`,
  run: () => renderSkillCatalog(...given),
})

export const readingCases: readonly BlockingCase[] = [
  ...patchesOf(100_000),
  ...patchesOf(MIB),
  ...Object.entries(frontMatters).map(([name, yaml]) => ({
    name: `front matter: ${name}`,
    run: () => parseSkillDocument(skillOf(yaml), { folderName: 'x' }),
  })),
  {
    name: 'front matter: body of blank lines',
    run: () => parseSkillDocument(`${skillOf('name: x')}${'\n'.repeat(MIB)}`, { folderName: 'x' }),
  },
  ...Object.entries(configs).map(([name, text]) => ({ name: `config: ${name}`, run: () => parseHermesConfig(text) })),
  ...Object.entries(sidecars).map(([name, text]) => {
    // Encoded before the measurement: a back end hands over bytes.
    const document = toDocument(text)
    return { name: `usage: ${name}`, run: () => decodeSidecar(document) }
  }),
  catalogCase(
    'ten thousand skills',
    entries(10_000, (index) => `skill-${index}`, 'x'.repeat(200)),
  ),
  catalogCase(
    'one letter names',
    entries(10_000, (index) => `${index}`, ''),
  ),
  catalogCase(
    'long texts',
    entries(1_000, (index) => `skill-${index}`, '\u2028'.repeat(100_000)),
  ),
  { name: 'skill list: two thousand skills', run: () => library(2_000, 'What it does.').list() },
  {
    name: 'skill list: front matter as large as may be',
    run: () => library(40, 'x\nk: [1, {a: b}]\n'.repeat(1).concat('# c\n'.repeat(8_000))).list(),
  },
]
