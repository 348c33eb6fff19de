import { describe, expect, it } from 'vitest'
import { decideOutcome } from './decide-outcome.ts'

const TRAIL_LENGTH = 3
const state = (version: string, ...trail: string[]) => ({ document: { bytes: new Uint8Array(), version }, trail })

describe('decideOutcome', () => {
  it.each([
    ['an update that is the present version', { before: 'a', after: 'b' }, state('b', 'a'), 'stored'],
    ['an update that others have followed', { before: 'a', after: 'b' }, state('d', 'c', 'b', 'a'), 'stored'],
    ['an update whose basis is still there', { before: 'a', after: 'b' }, state('a', 'z'), 'not_stored'],
    ['an update that another one took the place of', { before: 'a', after: 'b' }, state('c', 'a'), 'not_stored'],
    ['an update that too many have followed', { before: 'a', after: 'b' }, state('g', 'f', 'e', 'd'), 'unknown'],
    ['an update of a document that was then removed', { before: 'a', after: 'b' }, undefined, 'unknown'],
    ['an update of a document that was then removed and created', { before: 'a', after: 'b' }, state('n'), 'unknown'],
    ['a creation that is there', { before: undefined, after: 'b' }, state('c', 'b'), 'stored'],
    ['a creation where nothing is', { before: undefined, after: 'b' }, undefined, 'not_stored'],
    ['a creation that another one took the place of', { before: undefined, after: 'b' }, state('d', 'c'), 'not_stored'],
    ['a creation that too many have followed', { before: undefined, after: 'b' }, state('f', 'e', 'd', 'c'), 'unknown'],
    ['a removal after which nothing is there', { before: 'a', after: undefined }, undefined, 'stored'],
    ['a removal of what is still there', { before: 'a', after: undefined }, state('c', 'a'), 'not_stored'],
    ['a removal after which a new document is there', { before: 'a', after: undefined }, state('d', 'c'), 'stored'],
    ['a removal that too many have followed', { before: 'a', after: undefined }, state('f', 'e', 'd', 'c'), 'unknown'],
  ])('judges %s', (_, attempt, now, outcome) => {
    expect(decideOutcome(attempt, now, TRAIL_LENGTH)).toBe(outcome)
  })
})
