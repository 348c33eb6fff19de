/** What the first screen reads. */
import type { JournalRecord } from '@hermes/core'
import { describe, expect, it } from 'vitest'
import type { OverviewView } from '../src/api/overview.ts'
import { createHome, holdAdditions, openInspector, skillText, type TestHome, value } from './support.ts'

const add = async ({ hermes, time }: TestHome, content: string): Promise<void> => {
  time.now += 1_000
  value(await hermes.memoryStore().apply('memory', { action: 'add', content }, { origin: 'user' }))
}

const read = async ({ hermes }: TestHome): Promise<OverviewView> => (await openInspector(hermes)).json<OverviewView>('/api/overview')

const textOf = ({ op }: JournalRecord): string | undefined => (op && 'content' in op ? op.content : undefined)

describe('the overview', () => {
  it('has the last ten things learned, newest first, and counts what waits', async () => {
    const home = createHome()
    for (let count = 1; count <= 12; count++) await add(home, `Fact ${count}`)
    await holdAdditions(home, ['Held 1', 'Held 2'])
    const { learned, waiting, entries } = await read(home)
    expect(learned.map(textOf)).toEqual(Array.from({ length: 10 }, (_, index) => `Fact ${12 - index}`))
    expect([waiting, entries]).toEqual([2, 12])
  })

  it('counts nothing as learned that was taken away, or that was known already', async () => {
    const home = createHome()
    await add(home, 'Uses pnpm')
    await add(home, 'Lives in Lisbon')
    await add(home, 'Uses pnpm')
    value(await home.hermes.memoryStore().apply('memory', { action: 'remove', oldText: 'Lives in Lisbon' }))
    value(await home.hermes.skillStore().create({ name: 'deploy', content: skillText('deploy', '1. Build.') }))
    value(await home.hermes.curator.archive('deploy'))
    expect((await read(home)).learned.map(({ op }) => op?.action)).toEqual(['create', 'add', 'add'])
  })
})
