import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rounds } from '../../../../scripts/support/rounds.ts'
import { editFrontMatter } from './edit-front-matter.ts'
import { checkNewSkill, checkSkillEdit, parseSkillDocument } from './parse-skill-document.ts'
import { toSkillListing } from './skill-document.ts'
import { checkSupportFilePath } from './support-file.ts'

const read = (text: string) => parseSkillDocument(text, { folderName: 'demo' })

const GOOD = '---\nname: demo\ndescription: Does a thing.\n---\n\n# Demo\n\nDo it.\n'

describe('parseSkillDocument', () => {
  it('reads name, description, data and body, and finds nothing wrong with a good skill', () => {
    expect(read(GOOD)).toEqual({
      name: 'demo',
      description: 'Does a thing.',
      frontMatter: { name: 'demo', description: 'Does a thing.' },
      body: '\n# Demo\n\nDo it.\n',
      diagnostics: [],
    })
  })

  it('reads foreign skills without a body, name or description', () => {
    expect(read('---\nname: demo\ndescription: x\n---')).toMatchObject({ name: 'demo', description: 'x', body: '' })
    expect(read('---\nlicense: MIT\n---\n# Title\n\nFirst line.\n')).toMatchObject({ name: 'demo', description: 'First line.' })
    expect(read('# Title\n')).toMatchObject({ name: 'demo', description: 'Title', body: '# Title\n' })
    expect(read('')).toMatchObject({ name: 'demo', description: '', body: '' })
  })

  it('takes the stated name, unless it is a path or nothing that can be a key', () => {
    expect(read('---\nname: PDF Tools\ndescription: x\n---\nb\n').name).toBe('PDF Tools')
    for (const name of ['../../etc', 'a\\b', '".."', '"a\\u0000b"', '"  "', '[a]', 'x'.repeat(300)]) {
      expect(read(`---\nname: ${name}\ndescription: x\n---\nb\n`).name, name).toBe('demo')
    }
  })

  it('says what is wrong, with the line if YAML breaks', () => {
    const { diagnostics } = read('\ufeff---yaml\nname: other\nname: Other\ndescription: Use when: x\ncompatibility: [a]\nfoo: 1\n---\n  \n')
    expect(diagnostics.map(({ code }) => code)).toEqual([
      'byte_order_mark',
      'opening_fence',
      'yaml',
      'duplicate_key',
      'invalid_name',
      'name_mismatch',
      'compatibility',
      'foreign_key',
      'no_body',
    ])
    expect(diagnostics[2]?.message).toMatch(/line 4: .*in quotes\.$/)
    expect(diagnostics[3]?.message).toContain("'name'")
  })
})

it('never throws, nor does an edit, whatever the text', () => {
  const piece = fc.constantFrom(
    '---\n',
    'name:',
    ' demo',
    'description: ',
    '&a ',
    '*a',
    '[',
    ']',
    '{',
    '}',
    ': ',
    '- ',
    '"',
    "'",
    '#',
    '|\n',
    '<<: ',
    '!!x ',
    '\t',
    '\n',
    '  ',
    '? ',
    '\ud800',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = `---\n${pieces.join('')}\n---\nbody\n`
      expect(JSON.stringify(read(text))).toBeTypeOf('string')
      const edited = editFrontMatter(text, 'description', 'Use when: late')
      if (edited.ok) expect(read(edited.value).description).toBe('Use when: late')
    }),
    { seed: 7, numRuns: rounds(1000) },
  )
})

describe('toSkillListing', () => {
  it('cuts giants to one short line each', () => {
    const { name, description } = toSkillListing(
      read(`---\nname: ${'é'.repeat(200)}\ndescription: |\n  ${'🚀'.repeat(3000)}\n  b\n---\nb\n`),
    )
    expect(name).toBe('é'.repeat(64))
    expect(description).toBe('🚀'.repeat(1024))
    expect(toSkillListing(read('---\nname: demo\ndescription: |\n  a\n  b\n---\nx\n')).description).toBe('a b')
  })
})

describe('checkNewSkill', () => {
  it('names every problem at once', () => {
    expect(checkNewSkill('---\nname: Demo\n---\n', 'demo')).toMatchObject({
      ok: false,
      error: {
        code: 'invalid',
        message: expect.stringMatching(/only a–z.*but its folder is 'demo'.*no description.*no instructions/),
        details: { problems: [{ code: 'invalid_name' }, { code: 'name_mismatch' }, { code: 'no_description' }, { code: 'no_body' }] },
      },
    })
    expect(checkNewSkill(GOOD.padEnd(100_001, 'x'), 'demo')).toMatchObject({ ok: false, error: { code: 'over_limit' } })
  })

  it('wants a description in words, though it reads any', () => {
    for (const description of ['123', 'yes', '[a]']) {
      const text = GOOD.replace('Does a thing.', description)
      expect(checkNewSkill(text, 'demo'), description).toMatchObject({ error: { details: { problems: [{ code: 'no_description' }] } } })
    }
    expect(read(GOOD.replace('Does a thing.', '123')).description).toBe('123')
  })
})

describe('checkSkillEdit', () => {
  const colon = GOOD.replace('Does a thing.', 'Use when: late')

  it('lets a skill with an unquoted colon be patched, and refuses to write the fault again', () => {
    expect(checkSkillEdit(colon, colon.replace('Do it.', 'Do it well.'), 'demo')).toMatchObject({
      ok: true,
      value: { description: 'Use when: late' },
    })
    expect(checkSkillEdit(GOOD, colon, 'demo')).toMatchObject({ ok: false, error: { details: { problems: [{ code: 'yaml' }] } } })
  })

  it('refuses an edit that loses the front matter, name, description or body', () => {
    for (const after of [
      'Do it.',
      GOOD.replace('name: demo\n', ''),
      GOOD.replace('demo', 'other'),
      GOOD.replace(': Does a thing.', ':'),
      GOOD.slice(0, 42),
    ]) {
      expect(checkSkillEdit(GOOD, after, 'demo').ok, after).toBe(false)
    }
  })

  it('lets a skill that is too large shrink but not grow', () => {
    const large = GOOD.padEnd(120_000, 'x')
    expect(checkSkillEdit(large, large.slice(0, -1), 'demo').ok).toBe(true)
    expect(checkSkillEdit(large, `${large}x`, 'demo')).toMatchObject({ ok: false, error: { code: 'over_limit' } })
  })
})

describe('checkSupportFilePath', () => {
  it('takes files below the four support folders', () => {
    for (const path of [
      'references/a.md',
      'templates/x/t.html',
      'scripts/run.sh',
      'assets/技能.png',
      'references/.env',
      'references/..md',
    ]) {
      expect(checkSupportFilePath(path)).toEqual({ ok: true, value: path })
    }
  })

  it('never addresses SKILL.md, in no spelling and at no depth', () => {
    for (const path of ['SKILL.md', 'skill.md', './SKILL.md', 'references/SKILL.md', 'assets/old/Skill.MD', 'references/SKILL.md/x']) {
      expect(checkSupportFilePath(path), path).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    }
  })

  it('refuses what leaves the folder or means another file elsewhere', () => {
    const paths = [
      '../x',
      'references/../x',
      'references/./x',
      '/references/a',
      '~/x',
      'C:\\x',
      'c:x',
      'references\\a.md',
      'references/a:b',
      'references/a\0b',
    ]
    for (const path of [
      ...paths,
      '',
      'references',
      'references/',
      'references//a',
      'References/a.md',
      'notes.md',
      'references/a.',
      'scripts/con.py',
    ]) {
      expect(checkSupportFilePath(path), JSON.stringify(path)).toMatchObject({ ok: false, error: { code: 'invalid_path' } })
    }
    expect(checkSupportFilePath(undefined as unknown as string)).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('undefined') },
    })
  })

  it('names the folders in which files are allowed', () => {
    expect(checkSupportFilePath('notes.md')).toMatchObject({
      error: {
        message:
          "'notes.md' cannot be a file of a skill: it is not in a support folder. Use a path such as 'references/api.md', below references/, templates/, scripts/, assets/, checks/.",
      },
    })
  })
})
