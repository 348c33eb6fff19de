import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { readPlainFrontMatter, splitSkillText } from './front-matter.ts'
import { readAnyFrontMatter, readFrontMatter } from './front-matter-yaml.ts'

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
