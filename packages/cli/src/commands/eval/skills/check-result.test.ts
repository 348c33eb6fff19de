import { describe, expect, it } from 'vitest'
import { FAMILIES, type ResultCheck } from '../../../../../../benchmarks/skills/families.ts'
import { faultsOf } from './check-result.ts'

describe('the result of a task', () => {
  it.each<[string, ResultCheck, string, readonly string[]]>([
    ['texts', { holds: ['a b', ['c', 'd']], never: ['e'] }, 'A  B d', []],
    ['texts', { holds: ['a b', ['c', 'd']], never: ['e'] }, 'a e', ["lacks 'a b'", "lacks 'c'", "has 'e'"]],
    ['an order', { order: ['one', 'two', 'two'] }, 'one two two', []],
    ['an order', { order: ['one', 'two', 'two'] }, 'two one two', ["lacks 'two' in its place"]],
    ['a pattern, line by line', { matches: ['^x\\d$'] }, 'a\nx1\nb', []],
    ['a pattern, line by line', { matches: ['^x\\d$'] }, 'x12', ['does not match /^x\\d$/']],
    ['JSON, in any order of its fields', { json: [{ a: 1, b: 2 }] }, '[{"b":2,"a":1}]', []],
    ['JSON in a fence', { json: { a: 1 } }, '```json\n{"a":1}\n```', []],
    ['JSON', { json: { a: 1 } }, '{"a":1,"b":2}', ['is not the JSON {"a":1}']],
    ['JSON', { json: { a: 1 } }, '{', ['is not the JSON {"a":1}']],
    ['a number', { number: 1234.5 }, '3 × 411.50 = 1,234.50 euros', []],
    ['a number', { number: 1234.5 }, "1'234.5", []],
    ['a number', { number: 7.5 }, 'none', ['ends with no number, not 7.5']],
    ['a number', { number: 7.5 }, '7', ['ends with 7, not 7.5']],
  ])('is checked for %s', (_, check, result, faults) => {
    expect(faultsOf(result, check)).toEqual(faults)
  })
})

const TASKS = FAMILIES.flatMap(({ training, heldOut }) => [...training, ...heldOut])

describe('the families of recurring tasks', () => {
  it('are at least twelve, each with training, three held-out tasks of other data, and a skill by a person', () => {
    expect(FAMILIES.length).toBeGreaterThanOrEqual(12)
    expect(new Set(TASKS.map(({ task }) => task)).size).toBe(TASKS.length)
    for (const { name, training, heldOut, curated } of FAMILIES) {
      expect([name, training.length >= 1, heldOut.length >= 3]).toEqual([name, true, true])
      expect(curated).toContain(`name: ${name}\n`)
      for (const { correction = '', rule = '-' } of training) {
        expect(correction).toContain(rule)
        expect(curated.replace(/\s+/g, ' ')).toContain(rule)
      }
    }
  })

  it.each(TASKS.map((task) => [task.task, task] as const))('accept a right result and no plain one: %s', (_, { check, good, plain }) => {
    expect(faultsOf(good, check)).toEqual([])
    expect(faultsOf(plain, check)).not.toEqual([])
  })

  it('tell no skill and no correction the result of a held-out task', () => {
    for (const { heldOut, training, curated } of FAMILIES)
      for (const { good } of heldOut) expect([curated, ...training.map(({ correction }) => correction)].join('\n')).not.toContain(good)
  })

  it('judge also a hostile result in no time', () => {
    for (const { check, good } of TASKS) {
      for (const pattern of check.matches ?? []) expect(pattern).not.toMatch(/\)[*+{]/)
      for (const hostile of [
        good.repeat(5_000),
        `${good.slice(0, 3)}\n`.repeat(30_000),
        '1,'.repeat(50_000),
        `-- ${' '.repeat(90_000)}`,
        '\n'.repeat(90_000),
      ]) {
        // The machine may have been at something else: the best of three counts.
        const spans = Array.from({ length: 3 }, () => {
          const start = performance.now()
          faultsOf(hostile, check)
          return performance.now() - start
        })
        expect(Math.min(...spans)).toBeLessThan(50)
      }
    }
  })
})
