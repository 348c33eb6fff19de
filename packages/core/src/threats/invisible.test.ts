import { describe, expect, it } from 'vitest'
import { findInvisible } from './invisible.ts'

const ids = (text: string) => [...findInvisible(text)]

describe('findInvisible', () => {
  it('names every kind once, by its code', () => {
    expect(ids('a\u200bb\u200bc\u2064d\ufeff')).toEqual([
      'invisible_unicode_U+200B',
      'invisible_unicode_U+2064',
      'invisible_unicode_U+FEFF',
    ])
  })

  it('finds direction overrides and isolates', () => {
    for (const code of [0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069]) {
      expect(ids(`x${String.fromCharCode(code)}y`)).toEqual([`invisible_unicode_U+${code.toString(16).toUpperCase()}`])
    }
  })

  it.each(['👨‍👩‍👧‍👦', '👩🏽‍🚀', '🏳️‍🌈', '❤️‍🔥', '🐈‍⬛', '🏴‍☠️', '🧑‍⚕️'])('keeps the joiners of %s', (emoji) => {
    expect(ids(`team ${emoji} lead`)).toEqual([])
  })

  it.each([
    ['Persian', 'می\u200cخواهم'],
    ['Devanagari', 'क्\u200dष and क्\u200cष'],
    ['Bengali', 'র\u200d্যাব'],
    ['Malayalam with a final joiner', 'അവന്\u200d വന്നു'],
    ['Sinhala', 'ශ්\u200dරී'],
    ['Tamil', 'க்\u200cஷ'],
  ])('keeps the joiners of %s', (_, text) => {
    expect(ids(text)).toEqual([])
  })

  it('finds joiners that join nothing', () => {
    expect(ids('pay\u200dload')).toEqual(['invisible_unicode_U+200D'])
    expect(ids('pay\u200cload')).toEqual(['invisible_unicode_U+200C'])
    expect(ids('👩\u200d hidden')).toEqual(['invisible_unicode_U+200D'])
    expect(ids('\u200d👩')).toEqual(['invisible_unicode_U+200D'])
    expect(ids('می\u200c ')).toEqual(['invisible_unicode_U+200C'])
    expect(ids('می\u200cx')).toEqual(['invisible_unicode_U+200C'])
    expect(ids('👩\u200c👩')).toEqual(['invisible_unicode_U+200C'])
    expect(ids('می\u200c\u200cخ')).toEqual(['invisible_unicode_U+200C'])
  })

  it('finds a joiner out of place after one in place', () => {
    expect(ids('👩‍🚀 pay\u200dload')).toEqual(['invisible_unicode_U+200D'])
  })
})
