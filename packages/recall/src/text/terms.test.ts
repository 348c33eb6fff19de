import { describe, expect, it } from 'vitest'
import { stem } from './stem.ts'
import { itemTerms, termsOf } from './terms.ts'

describe('termsOf', () => {
  it('folds case, accents and forms of letters', () => {
    expect(termsOf('Café CAFÉ ｃａｆé')).toEqual(['caf', 'caf', 'caf'])
    expect(termsOf('Ёлка')).toEqual(termsOf('елка'))
    expect(termsOf('שָׁלוֹם')).toEqual(termsOf('שלום'))
  })

  it('keeps marks that are letters', () => {
    expect(termsOf('कृपया')).toEqual(['कृपया'])
  })

  it('splits scripts without spaces into pairs, and finds a part of a text', () => {
    expect(termsOf('我喜欢苹果')).toEqual(['我喜', '喜欢', '欢苹', '苹果'])
    expect(termsOf('강아지가')).toContain('강아')
    expect(termsOf('用TypeScript写')).toEqual(['typescript', '用', '写'])
  })

  it('finds a part of a long text without spaces and marks, such as a phrase in Thai', () => {
    const thai = 'เมื่อวานนี้พี่สาวของฉันซื้อแมวสีส้มตัวหนึ่งจากตลาดใกล้บ้านแล้วตั้งชื่อให้มันว่ามะม่วงเพราะมันชอบนอนใต้ต้นไม้'
    expect(thai.length).toBeGreaterThan(64)
    expect(termsOf(thai)).toEqual(expect.arrayContaining([...termsOf('มะม่วง')]))
    expect(termsOf(`${'我喜欢'.repeat(40)}苹果`)).toContain('苹果')
    expect(termsOf(`${'x'.repeat(80)}苹果`)).toEqual(['x'.repeat(64), '苹果'])
    expect(termsOf('𠀀'.repeat(30_000))).toHaveLength(20_000)
  })

  it('has at most 20,000', () => {
    expect(termsOf('a1 '.repeat(30_000))).toHaveLength(20_000)
    const text = 'a1 '.repeat(15_000)
    expect(itemTerms({ kind: 'turn', source: 's', user: text, answer: text })).toHaveLength(20_000)
  })

  it('holds the title of an archived item', () => {
    expect(itemTerms({ kind: 'skill', source: 'deploy', user: '', answer: 'Run it.' })).toContain('deploy')
    expect(itemTerms({ kind: 'turn', source: 'deploy', user: '', answer: 'Run it.' })).not.toContain('deploy')
  })
})

describe('stem', () => {
  it.each([
    ['allergic allergy allergies'],
    ['plan planned planning plans'],
    ['move moved moving moves'],
    ['deploy deployed deployment deployments deploys'],
    ['puppy puppies'],
    ['run running runs'],
    ['decide decided'],
    ['bake baked baking'],
    ['class classes'],
  ])('has one form for %s', (words) => {
    expect(new Set(words.split(' ').map(stem)).size).toBe(1)
  })

  it('keeps short words, digits and other scripts', () => {
    for (const word of ['is', 'was', 'bus', 'v12ing', 'собака', 'straße']) expect(stem(word)).toBe(word)
  })
})
