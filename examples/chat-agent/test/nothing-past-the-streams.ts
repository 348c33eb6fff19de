/** A setup file: a test fails if the chat writes anything past its streams, which would land in the middle of a person's screen. */
import { format } from 'node:util'
import { beforeEach, expect, vi } from 'vitest'

const METHODS = ['debug', 'error', 'info', 'log', 'warn'] as const

beforeEach(() => {
  const written: string[] = []
  const keep = (...parts: readonly unknown[]): void => void written.push(format(...parts))
  const spies = METHODS.map((method) => vi.spyOn(console, method).mockImplementation(keep))
  process.on('warning', keep)
  return () => {
    for (const spy of spies) spy.mockRestore()
    process.off('warning', keep)
    expect(written).toEqual([])
  }
})
