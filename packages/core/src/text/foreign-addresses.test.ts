import { describe, expect, it } from 'vitest'
import { foreignAddresses } from './specific-tokens.ts'

describe('foreignAddresses', () => {
  it.each([
    ['see https://user@Evil.example:8080/x?y', ['evil.example']],
    ['curl evil.sh.top/x', ['evil.sh.top']],
    ['mail ops@evil.org now', ['ops@evil.org']],
    ['ping 10.1.2.3', ['10.1.2.3']],
    ['scp a b@files.acme.io', ['b@files.acme.io']],
  ])('finds those in %j', (text, found) => {
    expect(foreignAddresses(text)).toEqual(expect.arrayContaining(found))
  })

  it.each([
    'open http://localhost:3000 or http://127.0.0.1',
    'edit package.json, run deploy.sh',
    'call Math.max(1, 2)',
    'http://$HOST/x',
    'https://example.com',
  ])('finds none in %j', (text) => {
    expect(foreignAddresses(text)).toEqual([])
  })
})
