import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codePoint } from '../../test/support/code-point.ts'
import { checkStoragePath } from '../storage/storage-paths.ts'
import { checkSkillCategory, checkSkillName } from './skill-name.ts'

const untyped = (value: unknown): string => value as string

describe('checkSkillName', () => {
  it('takes lowercase words joined by single hyphens, up to 64 characters', () => {
    for (const name of ['a', '7', 'pdf-tools', '3d-print', 'a'.repeat(64)]) expect(checkSkillName(name)).toEqual({ ok: true, value: name })
    expect(checkSkillName('a'.repeat(65))).toMatchObject({ ok: false, error: { code: 'invalid', message: expect.stringContaining('64') } })
  })

  it('has no hole for a final line break, nor for anything else around the name', () => {
    for (const name of [
      'pdf\n',
      'pdf\r\n',
      ' pdf',
      'pdf ',
      'pdf\u0000',
      'a\nb',
      '..',
      'a..b',
      'pdf-',
      'pdf--a',
      'v1.2',
      'a_b',
      'café',
      'ａ',
    ]) {
      expect(checkSkillName(name).ok, JSON.stringify(name)).toBe(false)
    }
  })

  it('refuses names that a search passes over or that Windows keeps', () => {
    for (const name of ['venv', 'site-packages', 'con', 'nul', 'lpt1']) expect(checkSkillName(name).ok, name).toBe(false)
    for (const name of ['console', 'references', 'constructor', 'com10']) expect(checkSkillName(name).ok, name).toBe(true)
  })

  it('proposes a name that would be taken, and none if nothing is left', () => {
    expect(checkSkillName('  Café & PDF Tools\n')).toMatchObject({
      error: { message: expect.stringContaining("Try 'cafe-pdf-tools'"), details: { suggestion: 'cafe-pdf-tools' } },
    })
    for (const name of ['技能', '', '   ', 'venv', 'CON']) expect(checkSkillName(name)).toMatchObject({ ok: false, error: { details: {} } })
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 200 }), (text) => {
        const checked = checkSkillName(text)
        const suggestion = checked.ok ? text : checked.error.details['suggestion']
        if (typeof suggestion === 'string')
          expect(checkSkillName(suggestion).ok && checkStoragePath(`skills/${suggestion}/SKILL.md`).ok).toBe(true)
      }),
      { seed: 7 },
    )
  })

  it('refuses a value that is not text', () => {
    for (const value of [undefined, null, 7, ['a'], {}]) expect(checkSkillName(untyped(value)).ok).toBe(false)
  })
})

describe('checkSkillCategory', () => {
  it('answers the category as it is to be used', () => {
    expect(checkSkillCategory('devops\n')).toEqual({ ok: true, value: 'devops' })
    expect(checkSkillCategory('data_science.v2')).toEqual({ ok: true, value: 'data_science.v2' })
    for (const none of [undefined, null, '', '  ']) expect(checkSkillCategory(none)).toEqual({ ok: true, value: undefined })
  })

  it('refuses everything but one visible, portable folder', () => {
    for (const category of [
      'a/b',
      'a\\b',
      '..',
      '.archive',
      'DevOps',
      '-x',
      'a b',
      'a\nb',
      'a.',
      'nul.txt',
      'node_modules',
      'c'.repeat(65),
    ]) {
      expect(checkSkillCategory(category).ok, category).toBe(false)
    }
    for (const value of [7, ['a'], true]) expect(checkSkillCategory(untyped(value)).ok).toBe(false)
  })
})
