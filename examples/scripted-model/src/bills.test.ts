import { describe, expect, it } from 'vitest'
import { describeShares, nextBillSum, readBill, toShareRule } from './bills.ts'

describe('a bill in a person’s words', () => {
  it.each([
    ['split 84.60 among 4 with a 10% tip', { amount: 84.6, people: 4, tipPercent: 10 }],
    ['Please split €84,60 between the 3 of us', { amount: 84.6, people: 3, tipPercent: 0 }],
    ['divide 120 by 7', { amount: 120, people: 7, tipPercent: 0 }],
    ['57.30 split 3 ways, 15 percent tip', { amount: 57.3, people: 3, tipPercent: 15 }],
  ])('%s', (text, bill) => {
    expect(readBill(text)).toEqual(bill)
  })

  it.each(['split the team', 'share 20 with a 10% tip', 'always round each share up to the next 10 cents', 'split 10 among 0'])(
    'finds none in: %s',
    (text) => {
      expect(readBill(text)).toBeUndefined()
    },
  )
})

describe('how a share is worked out', () => {
  it.each([
    [[], { round: 'round', step: 0.01, showTotal: false }],
    [['Always round each share up to the next 10 cents and show the total'], { round: 'ceil', step: 0.1, showTotal: true }],
    [['Always round down to a full euro'], { round: 'floor', step: 1, showTotal: false }],
    [
      ['Always round up to the next 10 cents', 'Never round up, round to the nearest 5 cents'],
      { round: 'round', step: 0.05, showTotal: false },
    ],
    [['Always round it up', 'Always name the total'], { round: 'round', step: 0.01, showTotal: true }],
  ] as const)('%j', (rules, rule) => {
    expect(toShareRule(rules)).toEqual(rule)
  })

  it('is one sum after the other, each from the results before', () => {
    const bill = { amount: 84.6, people: 4, tipPercent: 10 }
    const rule = { round: 'ceil', step: 0.1, showTotal: true } as const
    expect(nextBillSum(bill, rule, [])).toBe('84.6 * (1 + 10 / 100)')
    expect(nextBillSum(bill, rule, [93.06])).toBe('ceil(93.06 / 4, 0.1)')
    expect(nextBillSum(bill, rule, [93.06, 23.3])).toBe('23.3 * 4')
    expect(nextBillSum(bill, rule, [93.06, 23.3, 93.2])).toBeUndefined()
    expect(describeShares(bill, rule, [93.06, 23.3, 93.2])).toBe('Each of the 4 pays 23.30, 93.20 in total.')
    expect(nextBillSum({ ...bill, tipPercent: 0 }, { ...rule, showTotal: false }, [21.2])).toBeUndefined()
  })
})
