import { expect, it } from 'vitest'
import { newUsageRecord } from '../usage/usage-record.ts'
import type { CustodyGrant, GrantedStep, GrantScope } from './ownership-grant.ts'
import { type CustodyMarks, NO_CUSTODY_MARKS } from './ownership-marks.ts'
import { describeProtection, judgeCustody, protectionAgainst } from './skill-ownership.ts'

const DEPLOY = { name: 'deploy', path: 'devops/cloud/k8s-deploy', folderName: 'k8s-deploy', category: 'devops/cloud' }

const recordBy = (createdBy: string | null, pinned = false) => ({ ...newUsageRecord(1, createdBy), pinned })

const granted = (scope: GrantScope, allow: readonly GrantedStep[] = ['stale', 'archive', 'merge'], grantedAt = 5): CustodyMarks => ({
  ...NO_CUSTODY_MARKS,
  grants: [{ scope, allow, until: undefined, grantedAt }] satisfies CustodyGrant[],
})

it('leaves only what the agent wrote to automatic paths', () => {
  expect(judgeCustody(DEPLOY, recordBy('agent'), NO_CUSTODY_MARKS)).toEqual({ owner: 'agent', pinned: false })
  for (const record of [undefined, recordBy(null), recordBy('user'), recordBy('installed'), recordBy('Agent')]) {
    expect(judgeCustody(DEPLOY, record, NO_CUSTODY_MARKS)).toEqual({ owner: 'user', pinned: false, protection: 'not-agent-created' })
  }
})

it('protects a pinned skill whoever owns it, and bundled and hub ones whoever is said to have written them', () => {
  expect(judgeCustody(DEPLOY, recordBy('agent', true), NO_CUSTODY_MARKS).protection).toBe('pinned')
  const bundled = { ...NO_CUSTODY_MARKS, bundled: new Set(['deploy']) }
  expect(judgeCustody(DEPLOY, recordBy('agent'), bundled).protection).toBe('bundled')
  expect(judgeCustody(DEPLOY, recordBy('agent', true), bundled)).toMatchObject({ owner: 'bundled', protection: 'pinned' })
  const hub = { ...NO_CUSTODY_MARKS, hub: { names: new Set<string>(), paths: new Set([DEPLOY.path]) } }
  expect(judgeCustody(DEPLOY, recordBy('agent'), hub).protection).toBe('hub')
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
    const custody = judgeCustody(DEPLOY, undefined, granted(scope))
    expect(custody).toMatchObject({ owner: 'user', grant: { grantedAt: 5 } })
    expect(custody.protection).toBeUndefined()
  }
  for (const scope of [{ skills: ['dep'] }, { category: 'dev' }, { category: 'devops/cloud/k8s-deploy' }] satisfies GrantScope[]) {
    expect(judgeCustody(DEPLOY, undefined, granted(scope)).protection).toBe('not-agent-created')
  }
})

it('allows only the steps that were granted, and no rewriting of what was handed over for ageing alone', () => {
  const custody = judgeCustody(DEPLOY, undefined, granted({ all: true }, ['stale']))
  expect(custody.protection).toBe('not-agent-created')
  expect([protectionAgainst(custody, 'stale'), protectionAgainst(custody, 'archive'), protectionAgainst(custody, 'merge')]).toEqual([
    undefined,
    'not-agent-created',
    'not-agent-created',
  ])
})

it('adds up the grants that cover a skill', () => {
  const marks = {
    ...NO_CUSTODY_MARKS,
    grants: [...granted({ all: true }, ['stale'], 3).grants, ...granted({ category: 'devops' }, ['archive'], 9).grants],
  }
  expect(judgeCustody(DEPLOY, undefined, marks).grant).toEqual({ allow: ['stale', 'archive'], grantedAt: 9 })
})

it('hands neither pinned nor bundled nor hub skills over', () => {
  const all = granted({ all: true })
  expect(protectionAgainst(judgeCustody(DEPLOY, recordBy(null, true), all), 'archive')).toBe('pinned')
  expect(protectionAgainst(judgeCustody(DEPLOY, undefined, { ...all, bundled: new Set(['deploy']) }), 'archive')).toBe('bundled')
  expect(
    protectionAgainst(judgeCustody(DEPLOY, undefined, { ...all, hub: { names: new Set(['deploy']), paths: new Set() } }), 'stale'),
  ).toBe('hub')
  expect(protectionAgainst(judgeCustody(DEPLOY, recordBy('agent'), all), 'archive')).toBeUndefined()
})

it('says in a sentence why a skill stays as it is', () => {
  const said = (['pinned', 'bundled', 'hub', 'not-agent-created'] as const).map((protection) => describeProtection(protection, 'deploy'))
  for (const sentence of said) expect(sentence).toMatch(/^The skill 'deploy' .+\.$/)
  expect(new Set(said).size).toBe(4)
})
