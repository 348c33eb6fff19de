import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editFrontMatter } from './edit-front-matter.ts'
import { parseSkillDocument } from './parse-skill-document.ts'

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

  it('adds a line, whatever text is written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (value) => {
        const edited = edit(TEXT, 'added', value)
        expect(parseSkillDocument(edited, { folderName: 'demo' }).frontMatter['added']).toBe(value)
        expect(edited.startsWith(TEXT.slice(0, TEXT.indexOf('---\n# Body')))).toBe(true)
        expect(edited.endsWith('---\n# Body\n')).toBe(true)
      }),
      { seed: 7 },
    )
  })
})
