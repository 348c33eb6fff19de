import { expect, it } from 'vitest'
import { newUsageRecord } from '../usage/usage-record.ts'
import {
  describeProtection,
  type GrantedStep,
  type GrantScope,
  judgeOwnership,
  NO_OWNERSHIP_MARKS,
  type OwnershipGrant,
  type OwnershipMarks,
  protectionAgainst,
} from './skill-ownership.ts'

const DEPLOY = { name: 'deploy', path: 'devops/cloud/k8s-deploy', folderName: 'k8s-deploy', category: 'devops/cloud' }

const recordBy = (createdBy: string | null, pinned = false) => ({ ...newUsageRecord(1, createdBy), pinned })

const granted = (scope: GrantScope, allow: readonly GrantedStep[] = ['stale', 'archive', 'merge'], grantedAt = 5): OwnershipMarks => ({
  ...NO_OWNERSHIP_MARKS,
  grants: [{ scope, allow, until: undefined, grantedAt }] satisfies OwnershipGrant[],
})

it('leaves only what the agent wrote to automatic paths', () => {
  expect(judgeOwnership(DEPLOY, recordBy('agent'), NO_OWNERSHIP_MARKS)).toEqual({ owner: 'agent', pinned: false })
  for (const record of [undefined, recordBy(null), recordBy('user'), recordBy('installed'), recordBy('Agent')]) {
    expect(judgeOwnership(DEPLOY, record, NO_OWNERSHIP_MARKS)).toEqual({ owner: 'user', pinned: false, protection: 'not-agent-created' })
  }
})

it('protects a pinned skill whoever owns it, and bundled and hub ones whoever is said to have written them', () => {
  expect(judgeOwnership(DEPLOY, recordBy('agent', true), NO_OWNERSHIP_MARKS).protection).toBe('pinned')
  const bundled = { ...NO_OWNERSHIP_MARKS, bundled: new Set(['deploy']) }
  expect(judgeOwnership(DEPLOY, recordBy('agent'), bundled).protection).toBe('bundled')
  expect(judgeOwnership(DEPLOY, recordBy('agent', true), bundled)).toMatchObject({ owner: 'bundled', protection: 'pinned' })
  const hub = { ...NO_OWNERSHIP_MARKS, hub: { names: new Set<string>(), paths: new Set([DEPLOY.path]) } }
  expect(judgeOwnership(DEPLOY, recordBy('agent'), hub).protection).toBe('hub')
})

it('takes a skill as handed over by its name, its folder, its category or one above it, or with all', () => {
  const scopes: readonly GrantScope[] = [
    { skills: ['other', 'deploy'] },
    { skills: ['k8s-deploy'] },
    { skills: ['devops/cloud/k8s-deploy'] },
    { category: 'devops/cloud' },
    { category: 'devops' },
    { all: true },
  ]
  for (const scope of scopes) {
    const ownership = judgeOwnership(DEPLOY, undefined, granted(scope))
    expect(ownership).toMatchObject({ owner: 'user', grant: { grantedAt: 5 } })
    expect(ownership.protection).toBeUndefined()
  }
  for (const scope of [{ skills: ['dep'] }, { category: 'dev' }, { category: 'devops/cloud/k8s-deploy' }] satisfies GrantScope[]) {
    expect(judgeOwnership(DEPLOY, undefined, granted(scope)).protection).toBe('not-agent-created')
  }
})

it('allows only the steps that were granted, and no rewriting of what was handed over for ageing alone', () => {
  const ownership = judgeOwnership(DEPLOY, undefined, granted({ all: true }, ['stale']))
  expect(ownership.protection).toBe('not-agent-created')
  expect([protectionAgainst(ownership, 'stale'), protectionAgainst(ownership, 'archive'), protectionAgainst(ownership, 'merge')]).toEqual([
    undefined,
    'not-agent-created',
    'not-agent-created',
  ])
})

it('adds up the grants that cover a skill', () => {
  const marks = {
    ...NO_OWNERSHIP_MARKS,
    grants: [...granted({ all: true }, ['stale'], 3).grants, ...granted({ category: 'devops' }, ['archive'], 9).grants],
  }
  expect(judgeOwnership(DEPLOY, undefined, marks).grant).toEqual({ allow: ['stale', 'archive'], grantedAt: 9 })
})

it('hands neither pinned nor bundled nor hub skills over', () => {
  const all = granted({ all: true })
  expect(protectionAgainst(judgeOwnership(DEPLOY, recordBy(null, true), all), 'archive')).toBe('pinned')
  expect(protectionAgainst(judgeOwnership(DEPLOY, undefined, { ...all, bundled: new Set(['deploy']) }), 'archive')).toBe('bundled')
  expect(
    protectionAgainst(judgeOwnership(DEPLOY, undefined, { ...all, hub: { names: new Set(['deploy']), paths: new Set() } }), 'stale'),
  ).toBe('hub')
  expect(protectionAgainst(judgeOwnership(DEPLOY, recordBy('agent'), all), 'archive')).toBeUndefined()
})

it('says in a sentence why a skill stays as it is', () => {
  const said = (['pinned', 'bundled', 'hub', 'not-agent-created'] as const).map((protection) => describeProtection(protection, 'deploy'))
  for (const sentence of said) expect(sentence).toMatch(/^The skill 'deploy' .+\.$/)
  expect(new Set(said).size).toBe(4)
})
