import { expect, it } from 'vitest'
import { closeNames } from './close-names.ts'

const NAMES = ['audit-api-client', 'audit-figma-export', 'deploy', 'deploy-docs', 'tidy']

it.each([
  ['audit-api', ['audit-api-client']],
  ['depoly', ['deploy']],
  ['tiyd', ['tidy']],
  ['Deploy', ['deploy', 'deploy-docs']],
  ['deploy-doc', ['deploy-docs', 'deploy']],
  ['nothing-like-it', []],
  ['x', []],
])('for %j means %j', (wanted, names) => {
  expect(closeNames(wanted, NAMES)).toEqual(names)
})
