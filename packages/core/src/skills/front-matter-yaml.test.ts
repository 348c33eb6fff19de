import { describe, expect, it } from 'vitest'
import { MAX_FRONT_MATTER_CHARS } from './front-matter.ts'
import { readFrontMatter } from './front-matter-yaml.ts'

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

  it('reads the beginning of a giant and no more', () => {
    const giant = readFrontMatter(`name: demo\n${'k: v\n'.repeat(1_000_000)}last: x\n`)
    expect(giant).toMatchObject({ readAs: 'lines', fault: { reason: `it is longer than ${MAX_FRONT_MATTER_CHARS} characters` } })
    expect(Object.fromEntries(giant.texts)).toEqual({ name: 'demo', k: 'v' })
    expect(readFrontMatter(`x: ${' '.repeat(200_000)}:\nname: demo\n`).texts.size).toBe(0)
  })

  it('keeps keys that JavaScript has other uses for as plain data', () => {
    const { data } = readFrontMatter('__proto__:\n  polluted: true\nconstructor: x\n')
    expect(Object.keys(data)).toEqual(['__proto__', 'constructor'])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('tells an empty front matter from a broken one', () => {
    for (const yaml of ['', '# nothing\n', '- a\n', 'just words\n']) expect(readFrontMatter(yaml).fault?.code, yaml).toBe('not_a_mapping')
  })
})
