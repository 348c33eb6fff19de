import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { editFrontMatter } from './edit-front-matter.ts'
import { readPlainFrontMatter, splitSkillText } from './front-matter.ts'
import { readAnyFrontMatter, readFrontMatter } from './front-matter-yaml.ts'
import { parseSkillDocument } from './parse-skill-document.ts'

const lines = (...all: readonly string[]) => `${all.join('\n')}\n`

/** Characters that YAML or other readers treat specially. */
const PIECES = 'a Z é 文 : # - " \' \\ { } [ ] , & * ! | > % @ ` ? ~ . 0 1e3 0x1f 1:30 yes No null true = << 🙂'
  .split(' ')
  .concat(' ', '  ', '\t', ': ', ' #', '- ', '\r', '\u0085', '\u2028', '\u00a0', '\ufeff', '\u200d')

const WORDS = 'deploy The a été 文書 - 1 " \' (x) = @ % /'.split(' ').concat(' ', ' ', ', ', '. ')

describe('readPlainFrontMatter', () => {
  it('reads one text a line, plain or quoted', () => {
    const yaml = lines('name: deploy', 'description: "Deploys: fast, safe."', "license: 'MIT'", 'version: v1.0')
    expect([...(readPlainFrontMatter(yaml) ?? [])]).toEqual([
      ['name', 'deploy'],
      ['description', 'Deploys: fast, safe.'],
      ['license', 'MIT'],
      ['version', 'v1.0'],
    ])
  })

  it.each([
    ['a number', 'name: 12'],
    ['a truth', 'name: Yes'],
    ['nothing', 'name:'],
    ['a date', 'name: 2026-05-12'],
    ['a second colon', 'name: a: b'],
    ['a comment', 'name: a # b'],
    ['a list', 'name: [a]'],
    ['a nested value', 'metadata:\n  a: b'],
    ['a value that goes on', 'name: a\n  b'],
    ['a block', 'name: >\n  a'],
    ['an anchor', 'name: &a b'],
    ['an escape', 'name: "a\\n"'],
    ['a doubled quote', "name: 'a''b'"],
    ['a key twice', 'name: a\nname: b'],
    ['a key that is no text', 'yes: a'],
    ['no key at all', 'words'],
    ['nothing at all', ''],
  ])('leaves %s to the parser', (_, yaml) => {
    expect(readPlainFrontMatter(yaml)).toBeUndefined()
  })

  it('answers what the parser answers, or nothing, whatever the text', () => {
    const piece = fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 4 }))
    const words = fc.array(fc.constantFrom(...WORDS), { maxLength: 6 })
    const text = fc.oneof(fc.array(piece, { maxLength: 8 }), words, words).map((pieces) => pieces.join(''))
    const keys = fc.constantFrom('name', 'description', 'y', 'on', 'a-b', 'A_1', 'null', '<<')
    const line = fc.tuple(keys, text).map(([key, value]) => `${key}: ${value}`)
    const noise = fc.oneof({ weight: 9, arbitrary: line }, { weight: 1, arbitrary: text })
    let plain = 0
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 4 }), fc.constantFrom('\n', '\r\n'), (all, lineEnd) => {
        const yaml = all.map((each) => `${each}${lineEnd}`).join('')
        if (!readPlainFrontMatter(yaml)) return
        plain++
        expect(readFrontMatter(yaml)).toEqual(readAnyFrontMatter(yaml))
      }),
      { numRuns: rounds(40_000), seed: 7 },
    )
    expect(plain).toBeGreaterThan(rounds(500))
  })
})

it('joins again to the very text that was cut', () => {
  const piece = fc.constantFrom('---', '\n', '\r\n', '\ufeff', 'name: x', '--- ', '----', ' ', '技能')
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('')
      const { marks, opening, yaml, closing, body } = splitSkillText(text)
      expect(marks + opening + yaml + closing + body).toBe(text)
    }),
    { seed: 7 },
  )
})

it('ends front matter at a line of its own, white space after the fence aside', () => {
  expect(splitSkillText('---\na: x --- y\n  ---\n---  \r\nbody')).toEqual({
    marks: '',
    opening: '---\n',
    yaml: 'a: x --- y\n  ---\n',
    closing: '---  \r\n',
    body: 'body',
  })
})

it('says what is missing if there are not two fences', () => {
  expect(splitSkillText('\n---\na: b\n---\n')).toMatchObject({ fault: 'no_front_matter', body: '\n---\na: b\n---\n' })
  expect(splitSkillText('---\na: b\n----\n')).toMatchObject({ fault: 'unclosed_front_matter', yaml: '' })
})

describe('readFrontMatter', () => {
  it('reads YAML 1.1 and keeps how plain values are written', () => {
    const { data, texts, readAs } = readFrontMatter('name: 123\nversion: 1.0\nday: 2026-01-05\nyes: no\nlist: [a]\nnothing:\n')
    expect(readAs).toBe('yaml')
    expect(data).toMatchObject({ name: 123, version: 1, day: '2026-01-05', list: ['a'], nothing: null })
    expect(texts.get('name')).toBe('123')
    expect(texts.get('version')).toBe('1.0')
    expect(texts.has('list')).toBe(false)
    expect(texts.has('nothing')).toBe(false)
  })

  it('reads a value with a colon in it as if it were quoted, and keeps the rest as data', () => {
    const yaml = "name: demo\ndescription: Use when: it's late # note\nmetadata:\n  hermes:\n    tags: [a, b]\n"
    expect(readFrontMatter(yaml)).toMatchObject({
      readAs: 'repaired',
      data: { name: 'demo', description: "Use when: it's late", metadata: { hermes: { tags: ['a', 'b'] } } },
      fault: { code: 'yaml', reason: expect.stringMatching(/^line 3: /) },
    })
  })

  it('falls back to lines if YAML is hopeless', () => {
    const { readAs, texts } = readFrontMatter('name: "demo"\ndescription: >\n  folded\n  text\nurl: http://x.y\nmetadata:\n\ta: b\n')
    expect(readAs).toBe('lines')
    expect(Object.fromEntries(texts)).toEqual({ name: 'demo', description: 'folded text', url: 'http://x.y' })
  })

  it('takes the last of two equal keys and names it', () => {
    expect(readFrontMatter('name: a\nname: b\n')).toMatchObject({ data: { name: 'b' }, duplicates: ['name'], readAs: 'yaml' })
  })

  it('survives tags, alias bombs and bottomless nesting, and stays quick about it', () => {
    const bomb = [
      'a: &a [x, x]',
      ...'bcdefghijkl'.split('').map((key, index) => `${key}: &${key} [*${'abcdefghijkl'[index]}, *${'abcdefghijkl'[index]}]`),
    ]
    const hostile = [
      `${bomb.join('\n')}\nname: demo\n`,
      `x: ${'['.repeat(20_000)}\nname: demo\n`,
      "description: !!python/object/apply:os.system ['true']\nname: demo\n",
      'a: *nowhere\nname: demo\n',
      'a: &a [*a]\nname: demo\n',
    ]
    for (const yaml of hostile) {
      const { data, texts } = readFrontMatter(yaml)
      expect(texts.get('name'), yaml.slice(0, 20)).toBe('demo')
      expect(JSON.stringify(data)).toContain('"name":"demo"')
    }
  })

  it('says how deep and how large front matter may be, and reads what goes beyond it line by line', () => {
    const deep = readFrontMatter(`name: demo\nx: ${'['.repeat(100)}\n`)
    expect(deep).toMatchObject({ readAs: 'lines', fault: { code: 'yaml', reason: 'it is nested deeper than 64 levels' } })
    expect(deep.texts.get('name')).toBe('demo')
    const crowded = readFrontMatter(`name: demo\nx: [${'a, '.repeat(5_000)}]\n`)
    expect(crowded).toMatchObject({ readAs: 'lines', fault: { reason: 'it has more than 4000 keys, values and marks' } })
    expect(crowded.texts.get('name')).toBe('demo')
  })

  it('tells an empty front matter from a broken one', () => {
    for (const yaml of ['', '# nothing\n', '- a\n', 'just words\n']) expect(readFrontMatter(yaml).fault?.code, yaml).toBe('not_a_mapping')
  })
})

const TEXT = `---
# Who made this
name:   demo # the folder's name
description: "Does a thing."   # short
tags:
- a
- b

# Versions
version: 1.0
metadata: {hermes: {config: [x,   z]}}
---
# Body
`

const edit = (text: string, key: string, value: string): string => {
  const edited = editFrontMatter(text, key, value)
  if (!edited.ok) throw edited.error
  return edited.value
}

describe('editFrontMatter', () => {
  it('changes one value and no other byte, the comment after it included', () => {
    expect(edit(TEXT, 'description', 'New.')).toBe(TEXT.replace('"Does a thing."', 'New.'))
    expect(edit(TEXT, 'name', 'other')).toBe(TEXT.replace('name:   demo', 'name:   other'))
  })

  it('leaves a key alone that already has the value, however it is written', () => {
    expect(edit(TEXT, 'description', 'Does a thing.')).toBe(TEXT)
    expect(edit(TEXT, 'name', 'demo')).toBe(TEXT)
  })

  it('writes values so that YAML reads them back, colons and line breaks included', () => {
    for (const description of [
      'Use when: late',
      'yes',
      '010',
      "it's # no comment",
      'two\nlines',
      ' padded ',
      '"quoted"',
      '- x',
      '',
      '技能 🚀',
    ]) {
      const document = parseSkillDocument(edit(TEXT, 'description', description), { folderName: 'demo' })
      expect(document.frontMatter['description']).toBe(description)
      expect(document.frontMatter['tags']).toEqual(['a', 'b'])
      expect(document.diagnostics.map(({ code }) => code)).not.toContain('yaml')
    }
  })

  it('keeps CRLF, byte order marks and the body', () => {
    const crlf = `\ufeff${TEXT.replaceAll('\n', '\r\n')}`
    expect(edit(edit(crlf, 'description', 'New.'), 'author', 'me')).toBe(
      crlf.replace('"Does a thing."', 'New.').replace('z]}}\r\n', 'z]}}\r\nauthor: me\r\n'),
    )
  })

  it('repairs front matter that is not YAML, and changes other keys in it', () => {
    const broken = '---\nname: demo\ndescription: Use when: late # c\nmetadata:\n  a: 1\n---\nx\n'
    expect(edit(broken, 'description', 'Use when: early')).toBe(broken.replace('Use when: late', '"Use when: early"'))
    expect(edit(broken, 'name', 'other')).toBe(broken.replace('demo', 'other'))
    const tabbed = '---\nname: demo\nmetadata:\n\ta: b\n---\nx\n'
    expect(edit(tabbed, 'name', 'other')).toBe(tabbed.replace('demo', 'other'))
  })

  it('refuses rather than damage what it cannot take apart', () => {
    for (const text of ['---\n{name: demo, description: x}\n---\nx\n', '---\n? name\n: demo\n---\nx\n']) {
      expect(editFrontMatter(text, 'name', 'other')).toMatchObject({
        ok: false,
        error: { code: 'invalid', message: expect.stringContaining("'name'") },
      })
    }
    expect(editFrontMatter('no front matter', 'name', 'x')).toMatchObject({ ok: false, error: { code: 'invalid' } })
  })
})
