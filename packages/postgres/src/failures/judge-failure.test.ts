import { HermesError } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import { isConnectionAlive, judgeFailure } from './judge-failure.ts'

const coded = (code: string, message = 'of the server') => Object.assign(new Error(message), { code })

describe('judgeFailure', () => {
  it.each([
    ['40001', 'refused', 'locked'],
    ['40P01', 'refused', 'locked'],
    ['55P03', 'refused', 'locked'],
    ['53300', 'refused', 'io'],
    ['53100', 'final', 'no_space'],
    ['25006', 'final', 'unwritable'],
    ['42501', 'final', 'unwritable'],
    ['28P01', 'final', 'io'],
    ['3D000', 'final', 'io'],
    ['57P01', 'dropped', 'io'],
    ['08006', 'dropped', 'io'],
    ['ECONNRESET', 'dropped', 'io'],
    ['CONNECTION_CLOSED', 'dropped', 'io'],
    ['CONNECTION_ENDED', 'final', 'closed'],
    ['42P01', 'no_tables', 'io'],
    ['XX001', 'final', 'io'],
  ])('takes %s for %s and calls it %s', (code, kind, hermesCode) => {
    const failure = judgeFailure(coded(code))
    expect(failure.kind).toBe(kind)
    expect(failure.error).toMatchObject({ code: hermesCode, details: { databaseCode: code } })
    expect(failure.error.message).toContain(code)
  })

  it('finds the code in what an error wraps, and in the first of several attempts to connect', () => {
    expect(
      judgeFailure(Object.assign(new Error('fetch failed'), { sourceError: new Error('x', { cause: coded('ECONNREFUSED') }) })).kind,
    ).toBe('refused')
    expect(judgeFailure(new AggregateError([coded('ECONNREFUSED')])).kind).toBe('refused')
  })

  it('knows errors without a code by their text', () => {
    expect(judgeFailure(new Error('Connection terminated unexpectedly')).kind).toBe('dropped')
    expect(judgeFailure(new Error('Server error (HTTP status 503): busy')).kind).toBe('dropped')
    expect(judgeFailure(new Error('Cannot use a pool after calling end on the pool')).error.code).toBe('closed')
    expect(judgeFailure('a text').error.code).toBe('io')
  })

  it('passes on neither addresses, passwords nor the error of the client, which holds them', () => {
    const { error } = judgeFailure(
      coded('XX000', "no route to postgres://me:hunter2@db.example/app with password='hunter2' and pwd: hunter2"),
    )
    expect(error.message).not.toContain('hunter2')
    expect(error.message).toContain('[address]')
    expect(error.cause).toBeUndefined()
  })

  it('leaves errors of Hermes as they are', () => {
    const error = new HermesError('invalid', 'as it is')
    expect(judgeFailure(error)).toEqual({ kind: 'final', error })
  })
})

describe('isConnectionAlive', () => {
  it('is so after an error of a statement, not after one of the connection', () => {
    expect(['40001', '23505', '42P01'].map((code) => isConnectionAlive(coded(code)))).toEqual([true, true, true])
    expect(['57P01', '08006', '25P03', 'ECONNRESET'].map((code) => isConnectionAlive(coded(code)))).toEqual([false, false, false, false])
    expect(isConnectionAlive(new Error('Connection terminated'))).toBe(false)
  })
})
