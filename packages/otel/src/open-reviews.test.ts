import type { Span } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import { type OpenReview, openReviews } from './open-reviews.ts'

const HOUR = 3_600_000
const review = (startedAt: number): OpenReview => ({ span: {} as Span, startedAt })

const watched = () => {
  const abandoned: OpenReview[] = []
  return { reviews: openReviews((given) => abandoned.push(given)), abandoned }
}

describe('open reviews', () => {
  it('are found by their key until they are taken', () => {
    const { reviews, abandoned } = watched()
    const mine = review(0)
    reviews.add('mine', mine)
    expect(reviews.find('mine')).toBe(mine)
    expect(reviews.find('other')).toBeUndefined()
    expect(reviews.take('mine')).toBe(mine)
    expect(reviews.take('mine')).toBeUndefined()
    expect(abandoned).toEqual([])
  })

  it('are given up after an hour, the younger ones kept', () => {
    const { reviews, abandoned } = watched()
    const [old, young] = [review(0), review(HOUR)]
    reviews.add('old', old)
    reviews.add('young', young)
    reviews.tidy(HOUR)
    expect(abandoned).toEqual([])
    reviews.tidy(HOUR + 1)
    expect(abandoned).toEqual([old])
    expect(reviews.find('young')).toBe(young)
  })

  it('are at most 1,000: the oldest goes', () => {
    const { reviews, abandoned } = watched()
    for (let index = 0; index < 1_000; index++) reviews.add(`${index}`, review(index))
    expect(abandoned).toEqual([])
    reviews.add('one more', review(1_000))
    expect(abandoned.map(({ startedAt }) => startedAt)).toEqual([0])
    expect(reviews.find('1')).toBeDefined()
  })

  it('have one of each key: the earlier one is given up', () => {
    const { reviews, abandoned } = watched()
    const [first, second] = [review(0), review(1)]
    reviews.add('same', first)
    reviews.add('same', second)
    expect(abandoned).toEqual([first])
    expect(reviews.take('same')).toBe(second)
  })
})
