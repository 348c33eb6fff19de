import { expect, it } from 'vitest'
import { gauge } from './gauge.ts'

it('shows how full a store is', () => {
  expect(gauge('memory', 264, 2200)).toBe('memory ▓░░░░░░░░░ 12% 264/2,200')
  expect(gauge('user', 0, 1375)).toBe('user ░░░░░░░░░░ 0% 0/1,375')
  expect(gauge('user', 3, 1375)).toBe('user ▓░░░░░░░░░ 0% 3/1,375')
  expect(gauge('user', 1375, 1375)).toBe('user ▓▓▓▓▓▓▓▓▓▓ 100% 1,375/1,375')
  expect(gauge('user', 9000, 1375)).toBe('user ▓▓▓▓▓▓▓▓▓▓ 100% 9,000/1,375')
})
