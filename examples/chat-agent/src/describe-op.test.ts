import { expect, it } from 'vitest'
import { describeOp, proposedLines } from './describe-op.ts'

const content = '---\nname: deploy\ndescription: "Deploy: to staging"\n---\n\n1. Push\n'

it('tells an operation on a store in one line', () => {
  expect(describeOp('user', { action: 'replace', oldText: 'Oslo', content: 'Lives in\nBergen' })).toBe(
    'replace user: Oslo → Lives in Bergen',
  )
  expect(describeOp('memory', { action: 'remove', oldText: 'Kamal' })).toBe('remove memory: Kamal')
  expect(proposedLines({ action: 'add', content: 'a' })).toEqual([])
})

it('tells an operation on a skill in one line, by what the skill is for', () => {
  expect(describeOp('skill', { action: 'create', name: 'deploy', content })).toBe('create skill deploy: Deploy: to staging')
  expect(describeOp('skill', { action: 'edit', name: 'deploy', content: 'no front matter' })).toBe('edit skill deploy')
  expect(describeOp('skill', { action: 'write_file', name: 'deploy', filePath: 'references/a.md', content: 'x' })).toBe(
    'write skill deploy, references/a.md',
  )
  expect(describeOp('skill', { action: 'remove_file', name: 'deploy', filePath: 'scripts/a.sh' })).toBe('remove skill deploy, scripts/a.sh')
  expect(describeOp('skill', { action: 'archive', name: 'deploy', absorbedInto: 'release' })).toBe(
    'archive skill deploy, now part of release',
  )
})

it('tells of a patch what it changes, not where it finds its place', () => {
  const patch = (oldText: string, newText: string, filePath?: string) =>
    ({ action: 'patch', name: 'deploy', oldText, newText, filePath }) as const
  expect(describeOp('skill', patch('1. Push', '1. Push\n2. Wait'))).toBe('patch skill deploy: add 2. Wait')
  expect(describeOp('skill', patch('1. Push\n2. Wait\n3. Go', '1. Push\n3. Go'))).toBe('patch skill deploy: take out 2. Wait')
  expect(describeOp('skill', patch('1. Push\n2. Wait', '1. Push\n2. Sleep', 'a.md'))).toBe('patch skill deploy, a.md: 2. Wait → 2. Sleep')
  expect(proposedLines(patch('1. Push\n2. Wait\n\nEnd', '1. Push\n2. Sleep\n3. Go\n\nEnd'))).toEqual(['− 2. Wait', '+ 2. Sleep', '+ 3. Go'])
  expect(proposedLines({ action: 'edit', name: 'deploy', content })).toEqual(content.trimEnd().split('\n'))
})
