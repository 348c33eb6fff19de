import { describe, expect, it } from 'vitest'
import { placeBlock } from './place-block.ts'

const user = { role: 'user', content: [{ type: 'text', text: 'hi' }] }
const system = (content: string, providerOptions?: object) => ({ role: 'system', content, ...(providerOptions && { providerOptions }) })

const freeze = <T>(value: T): T => {
  for (const inner of Object.values(value as object)) if (typeof inner === 'object' && inner !== null) freeze(inner)
  return Object.freeze(value)
}

describe('placeBlock', () => {
  it('merges into the only system message with a blank line', () => {
    expect(placeBlock([system('Be kind.'), user], 'BLOCK')).toEqual([system('Be kind.\n\nBLOCK'), user])
  })

  it('merges into the last of several leading system messages', () => {
    expect(placeBlock([system('One'), system('Two'), user], 'BLOCK')).toEqual([system('One'), system('Two\n\nBLOCK'), user])
  })

  it('puts one system message in front if there is none', () => {
    expect(placeBlock([user], 'BLOCK')).toEqual([system('BLOCK'), user])
    expect(placeBlock([], 'BLOCK')).toEqual([system('BLOCK')])
  })

  it('is a separate message if the host’s message carries provider options, so that its cache breakpoint stays valid', () => {
    const cached = system('Be kind.', { anthropic: { cacheControl: { type: 'ephemeral' } } })
    expect(placeBlock([cached, user], 'BLOCK')).toEqual([cached, system('BLOCK'), user])
  })

  it('is a separate message with its own breakpoint if cache control is requested', () => {
    const own = system('BLOCK', { anthropic: { cacheControl: { type: 'ephemeral' } } })
    expect(placeBlock([system('Be kind.'), user], 'BLOCK', { cacheControl: true })).toEqual([system('Be kind.'), own, user])
  })

  it('never touches a system message that comes later', () => {
    const later = system('Later')
    expect(placeBlock([user, later], 'BLOCK')).toEqual([system('BLOCK'), user, later])
    expect(placeBlock([system('A'), user, later], 'BLOCK')).toEqual([system('A\n\nBLOCK'), user, later])
  })

  it('fills an empty system message without blank lines', () => {
    expect(placeBlock([system(''), user], 'BLOCK')).toEqual([system('BLOCK'), user])
  })

  it('gives the very same prompt back for an empty block', () => {
    const prompt = [system('Be kind.'), user]
    expect(placeBlock(prompt, '')).toBe(prompt)
    expect(placeBlock(prompt, '', { cacheControl: true })).toBe(prompt)
  })

  it('does not add what the host or another wrapper has already placed', () => {
    const prompt = placeBlock([system('Be kind.'), user], 'BLOCK')
    expect(placeBlock(prompt, 'BLOCK')).toBe(prompt)
  })

  it('leaves the host’s objects as they are', () => {
    const prompt = freeze([system('Be kind.'), user])
    expect(placeBlock(prompt, 'BLOCK')).not.toBe(prompt)
    expect(prompt[0]?.content).toBe('Be kind.')
  })
})
