import { describe, expect, it } from 'vitest'
import type { HermesError } from '../../shared/hermes-error.ts'
import { patchSkillText, type SkillPatch } from './patch-skill.ts'

const patched = (content: string, oldText: string, newText: string, options: Partial<SkillPatch> = {}) => {
  const result = patchSkillText(content, { oldText, newText, ...options })
  if (!result.ok) throw result.error
  return result.value
}

const refused = (content: string, oldText: string, newText: string, options: Partial<SkillPatch> = {}): HermesError => {
  const result = patchSkillText(content, { oldText, newText, ...options })
  if (result.ok) throw new Error(`Not refused: ${JSON.stringify(result.value)}`)
  return result.error
}

describe('a patch that is found', () => {
  it('names the strategy and the number of places', () => {
    expect(patched('a\nb\na\n', 'a', 'c', { replaceAll: true })).toEqual({ result: 'c\nb\nc\n', strategy: 'exact', count: 2 })
    expect(patched('x  y\n', 'x y', 'z')).toEqual({ result: 'z\n', strategy: 'whitespace_normalized', count: 1 })
  })

  it('leaves the space before and after it alone', () => {
    expect(patched('foo  bar  \t baz  qux', 'bar baz', 'X').result).toBe('foo  X  qux')
  })

  it('replaces lines that overlap once, from the first on', () => {
    expect(patched(' a\n a\n a\nb', 'a\na', 'c', { replaceAll: true })).toEqual({ result: ' c\n a\nb', strategy: 'line_trimmed', count: 1 })
  })

  it('keeps CRLF in a file that has nothing else, and never changes line ends that the caller spelled out', () => {
    expect(patched('one\r\ntwo\r\nthree\r\n', 'one\ntwo', '1\n2\n3').result).toBe('1\r\n2\r\n3\r\nthree\r\n')
    expect(patched('one\r\ntwo\r\n', 'two', '2\n3').result).toBe('one\r\n2\r\n3\r\n')
    expect(patched('one\r\ntwo\r\n', 'one\r\ntwo', 'one\ntwo').result).toBe('one\ntwo\r\n')
    expect(patched('one\r\ntwo\n', 'two', '2\n3').result).toBe('one\r\n2\n3\n')
  })

  it('keeps the typography of every place it replaces', () => {
    expect(patched('a — b\na — b\n', 'a -- b', 'c -- b', { replaceAll: true }).result).toBe('c — b\nc — b\n')
  })

  it('looks past typography and indent together', () => {
    expect(patched('  “a”\n    — b\n', '"a"\n  -- b', '"a"\n  -- c')).toMatchObject({
      result: '  "a"\n    -- c\n',
      strategy: 'unicode_normalized',
    })
  })

  it('does not cut a typographic character in two', () => {
    expect(refused('wait… done', 'wait.', 'go').details['reason']).toBe('not-found')
    expect(refused('a—b', '-b', 'c').details['reason']).toBe('not-found')
  })
})

describe('escapes', () => {
  it('become real if the file has real ones, unless the file or the new text tells them apart', () => {
    expect(patched('a\tb', 'a\tb', 'a\\tc').result).toBe('a\tc')
    expect(patched('\tsep = "\\t"', '\tsep = "\\t"', '\tsep = "\\t\\t"').result).toBe('\tsep = "\\t\\t"')
    expect(patched('\tsep = "\\t"', '\tsep = "\\t"', 'sep = "\\t\\t"').result).toBe('sep = "\\t\\t"')
    expect(patched('x\ty', 'x\ty', 'x\tC:\\temp').result).toBe('x\tC:\\temp')
    expect(patched('a\r\nb\r\n', 'a\r\nb', 'a\\rb').result).toBe('a\\rb\r\n')
  })

  it('are refused if they would be written into the file, with the line', () => {
    const lineBreak = refused('one\ntwo\n', 'one\\ntwo', 'one\\n2')
    expect(lineBreak).toMatchObject({ code: 'invalid', details: { reason: 'escape-drift', sequence: '\\n', lines: [1] } })
    expect(lineBreak.message).toContain('line 1: one')
  })

  it('alone are not an anchor', () => {
    expect(refused('a\nb\n', '\\n', 'x').details['reason']).toBe('not-found')
  })
})

describe('a patch that is refused', () => {
  it.each([
    ['', 'x', 'empty', 'empty-old'],
    [' \n\t', 'x', 'empty', 'blank-old'],
    ['same', 'same', 'invalid', 'identical'],
  ])('says what is wrong with old %j and new %j', (oldText, newText, code, reason) => {
    expect(refused('some same text', oldText, newText)).toMatchObject({ code, details: { reason } })
  })

  it('names the lines of every place that fits, and shows the first ones', () => {
    const error = refused('x\n  go on \ny\ngo on\n', 'go on', 'stop')
    expect(error).toMatchObject({ code: 'ambiguous', details: { reason: 'ambiguous', strategy: 'exact', count: 2, lines: [2, 4] } })
    expect(error.message).toContain('line 2: go on\nline 4: go on')
    expect(refused('a\nb\na\nb', '\nb', 'c').details['lines']).toEqual([1, 3])
    const many = refused('a'.repeat(100_000), 'a', 'b')
    expect(many.message).toContain('fits 10000 places or more')
    expect(many.details).toMatchObject({ count: 10_000 })
    expect(many.message.length).toBeLessThan(1000)
  })

  it('searches a text of any length for what is quoted exactly, and a very long one for nothing else', () => {
    const long = `${'Some line of it.\n'.repeat(20_000)}The  end.\n`
    expect(patched(long, 'The  end.', 'An end.').result).toBe(long.replace('The  end.', 'An end.'))
    expect(refused(long, 'The end.', 'An end.')).toMatchObject({ code: 'over_limit', details: { reason: 'too-long' } })
    expect(refused('Short.\n', `${'x'.repeat(200_000)}`, 'y')).toMatchObject({ code: 'over_limit', details: { reason: 'too-long' } })
  })

  it('replaces no more places than it reports', () => {
    const refusal = refused('ab'.repeat(20_000), 'ab', 'c', { replaceAll: true })
    expect(refusal).toMatchObject({ code: 'over_limit', details: { reason: 'too-large', count: 10_000 } })
  })

  it('counts places that overlap as several', () => {
    expect(refused(' a\n a\n a\n', 'a\na', 'b')).toMatchObject({ code: 'ambiguous', details: { lines: [1, 2] } })
  })

  it('shows the lines that come closest', () => {
    const error = refused('# Deploy\n1. Restart the server\n2. Check logs\n', '1. Restart the servers now', 'x')
    expect(error).toMatchObject({
      code: 'not_found',
      details: { reason: 'not-found', closest: [{ line: 2, text: '1. Restart the server' }] },
    })
    expect(error.message).toContain('line 2: 1. Restart the server')
  })

  it('says so when the change seems to be made already', () => {
    const error = refused('Restart the worker first.', 'Restart the server first.', 'Restart the worker first.')
    expect(error.details).toMatchObject({ reason: 'not-found', isNewTextThere: true })
    expect(error.message).toContain('made already')
  })
})

it('refuses to build a text that no memory holds', () => {
  const tooLarge = { code: 'over_limit', details: { reason: 'too-large' } }
  expect(refused('a'.repeat(100_000), 'a', 'b'.repeat(100_000), { replaceAll: true })).toMatchObject(tooLarge)
  expect(refused(`${' '.repeat(50_000)}a b\n`, '\ta b', '\tx\n'.repeat(50_000))).toMatchObject(tooLarge)
  expect(patched('a'.repeat(1000), 'a', 'b'.repeat(1000), { replaceAll: true }).result).toBe('b'.repeat(1_000_000))
})

it('never replaces text that only resembles what is quoted', () => {
  const content = 'Always delete the old branch after merging.\n'
  expect(refused(content, 'Always delete the odd branch after merging.', 'Never.').details['reason']).toBe('not-found')
  expect(refused('start\nabcdefghij\nend\n', 'start\nabcdefghix\nend', 'Z').details['reason']).toBe('not-found')
})
