import { describe, expect, it } from 'vitest'
import { checkSupportFilePath } from './support-file.ts'

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
          "'notes.md' cannot be a file of a skill: it is not in a support folder. Use a path such as 'references/api.md', below references/, templates/, scripts/, assets/.",
      },
    })
  })
})
