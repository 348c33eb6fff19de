import { describe, expect, it } from 'vitest'
import { countOf, fieldsOf, listOf, textOf } from './read-fields.ts'

describe('reading the fields of an event', () => {
  it('gives what has the right type', () => {
    expect(fieldsOf({ turns: 10 })).toEqual({ turns: 10 })
    expect(textOf('memory')).toBe('memory')
    expect(countOf(0)).toBe(0)
    expect(countOf(1.5)).toBe(1.5)
    expect(listOf(['a'])).toEqual(['a'])
  })

  it.each([undefined, null, 7, 'text', true, Number.NaN, -1, Symbol('s'), () => 1])(
    'gives nothing of %s if it has another type',
    (value) => {
      expect(fieldsOf(value)).toEqual({})
      expect(listOf(value)).toEqual([])
      expect(textOf(typeof value === 'string' ? '' : value)).toBeUndefined()
      expect(countOf(value === 7 ? Number.POSITIVE_INFINITY : value)).toBeUndefined()
    },
  )

  it('cuts a text to 200 characters', () => {
    expect(textOf('m'.repeat(10_000))).toHaveLength(200)
  })
})
