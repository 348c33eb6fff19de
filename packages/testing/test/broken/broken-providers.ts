/** Providers with one fault each. The suite must fail for every one of them. */

import type { HomeProvider, ProviderForgetTarget } from '@hermes/core/provider'
import { providerConformance } from '../../src/index.ts'
import { wordProvider } from '../word-provider.ts'

const broken = (
  name: string,
  change: (hooks: Required<Pick<HomeProvider, 'prefetch' | 'syncTurn' | 'callTool' | 'forget'>>) => HomeProvider,
) =>
  // The word provider has these hooks.
  providerConformance(name, () => ({ provider: wordProvider((hooks) => change(hooks as Parameters<typeof change>[0])) }))

let serial = 0

broken('stores a turn again', (hooks) => ({ ...hooks, syncTurn: (turn, call) => hooks.syncTurn({ ...turn, id: `${++serial}` }, call) }))

broken('forgets in a dry run', (hooks) => ({ ...hooks, forget: (target, call) => hooks.forget({ ...target, dryRun: false }, call) }))

broken('only counts', (hooks) => ({ ...hooks, forget: (target, call) => hooks.forget({ ...target, dryRun: true }, call) }))

broken('forgets the wrong session', (hooks) => ({
  ...hooks,
  forget: (target, call) => hooks.forget(target.kind === 'session' ? { kind: 'all', dryRun: target.dryRun } : target, call),
}))

broken('compares texts itself', (hooks) => ({
  ...hooks,
  forget(target, call) {
    const own = (text: string): ProviderForgetTarget => ({
      kind: 'text',
      text,
      matches: (stored) => stored.includes(text),
      dryRun: target.dryRun,
    })
    return hooks.forget(target.kind === 'text' ? own(target.text) : target, call)
  },
}))

broken('answers a tool with a list', (hooks) => ({ ...hooks, callTool: async () => [] as never }))

broken('recalls an object', (hooks) => ({ ...hooks, prefetch: async () => ({ text: 'tea' }) as never }))

broken('recalls nothing', (hooks) => ({ ...hooks, prefetch: async () => [] }))

broken('is broken by an odd text', (hooks) => {
  let works = true
  return {
    ...hooks,
    async syncTurn(turn, call) {
      if (turn.user.includes('\u0000')) works = false
      if (!works) throw new Error('broken')
      await hooks.syncTurn(turn, call)
    },
  }
})

broken('is broken by a call that is given up', (hooks) => {
  let works = true
  return {
    ...hooks,
    async prefetch(query, call) {
      if (call.signal.aborted) works = false
      return works ? hooks.prefetch(query, call) : []
    },
  }
})

broken('loses everything at the end', (hooks) => ({
  ...hooks,
  shutdown: async (call) => void (await hooks.forget({ kind: 'all', dryRun: false }, call)),
}))

broken('recalls from all projects', (hooks) => ({
  ...hooks,
  syncTurn: ({ project: _, ...turn }, call) => hooks.syncTurn(turn, call),
}))

broken('recalls from the own project alone', (hooks) => ({
  ...hooks,
  syncTurn: (turn, call) => hooks.syncTurn({ project: 'none', ...turn }, call),
  prefetch: (query, call) => hooks.prefetch({ project: 'none', ...query }, call),
  callTool: (tool, call) => hooks.callTool({ project: 'none', ...tool }, call),
}))

broken('looks up in all projects', (hooks) => {
  const projects = new Set<string | undefined>()
  return {
    ...hooks,
    syncTurn(turn, call) {
      projects.add(turn.project)
      return hooks.syncTurn(turn, call)
    },
    async callTool({ project: _, ...tool }, call) {
      const all = [...projects].map((project) => hooks.callTool({ ...tool, ...(project === undefined ? {} : { project }) }, call))
      return { all: await Promise.all(all) }
    },
  }
})

const shared = wordProvider()
providerConformance('mixes owners', () => ({
  provider: { ...shared, initialize: (home, call) => shared.initialize({ ...home, folder: 'everybody' }, call) },
}))

const cut = wordProvider()
providerConformance('cuts the names of owners', () => ({
  provider: { ...cut, initialize: (home, call) => cut.initialize({ ...home, folder: home.folder.slice(0, 20) }, call) },
}))

providerConformance('has an odd name', () => ({ provider: { ...wordProvider(), name: 'Words!' } }))
