import { describe, expect, it } from 'vitest'
import { changedLines, nextSkillText, sameLines } from './skill-text.ts'

const patch = (oldText: string, newText: string) => ({ action: 'patch', name: 'deploy', oldText, newText }) as const

describe('nextSkillText', () => {
  it('is the whole content of a written file, and nothing if a skill is archived', () => {
    expect(nextSkillText({ action: 'create', name: 'a', content: 'x' }, undefined)).toBe('x')
    expect(nextSkillText({ action: 'edit', name: 'a', content: 'x' }, 'y')).toBe('x')
    expect(nextSkillText({ action: 'archive', name: 'a' }, 'y')).toBeUndefined()
  })

  it('is the patched file, or the new text of a patch that does not fit', () => {
    expect(nextSkillText(patch('b', 'B'), 'a\nb\nc')).toBe('a\nB\nc')
    expect(nextSkillText(patch('absent', 'B'), 'a\nb\nc')).toBe('B')
  })
})

describe('changedLines', () => {
  it('tells what came from what went; a line that moved did neither', () => {
    expect(changedLines('a\nb\nc', 'c\n  b\nnew\nnew')).toEqual({ added: ['new'], dropped: ['a'] })
    expect(changedLines(undefined, 'a\r\nb')).toEqual({ added: ['a', 'b'], dropped: [] })
  })

  it('sees whole lines, so that a word taken out of a rule is a new line', () => {
    expect(changedLines('Do not push.', 'Do push.')).toEqual({ added: ['Do push.'], dropped: ['Do not push.'] })
  })
})

describe('sameLines', () => {
  it('looks past blank lines and the ends of lines, and at the order and the indent', () => {
    expect(sameLines('a\r\n\r\nb', 'a  \nb\n')).toBe(true)
    expect(sameLines('if x:\n  a\nb', 'if x:\n  a\n  b')).toBe(false)
    expect(sameLines('a\nb', 'b\na')).toBe(false)
  })
})
