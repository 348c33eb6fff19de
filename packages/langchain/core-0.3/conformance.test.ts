/** The adapter conformance suite for legacy chains and LCEL on @langchain/core 0.3. `createAgent` needs core 1. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { adapterConformance, recordingSession } from '@hermes/testing'
import { BaseMemory } from '@langchain/core/memory'
import { Runnable } from '@langchain/core/runnables'
import { BufferMemory } from 'langchain/memory'
import { describe, expect, it } from 'vitest'
import { firstOf, SECOND_EXTENT } from '../../../scripts/support/rounds.ts'
import { HermesMemory, withHermes } from '../src/index.ts'
import { LCEL_HOSTS, lcelCapabilities, lcelHost } from '../test/support/lcel-hosts.ts'
import { LEGACY_HOSTS, legacyCapabilities, legacyHost } from '../test/support/legacy-hosts.ts'
import { ScriptedChatModel } from '../test/support/scripted-chat-model.ts'

const { resolve } = createRequire(import.meta.url)

describe('the core under test', () => {
  it('is 0.3, in this folder', () => {
    const found = JSON.parse(readFileSync(resolve('@langchain/core/package.json'), 'utf8'))
    expect(found.version).toMatch(/^0\.3\./)
  })

  it('is the base of our classes, as for those of langchain 0.3', () => {
    const session = recordingSession()
    const model = new ScriptedChatModel({ answer: () => Promise.reject(new Error('not asked')) })
    expect(new BufferMemory()).toBeInstanceOf(BaseMemory)
    expect(new HermesMemory({ session })).toBeInstanceOf(BaseMemory)
    expect(withHermes(model, session)).toBeInstanceOf(Runnable)
  })
})

for (const kind of firstOf(LEGACY_HOSTS, 2))
  adapterConformance(`HermesMemory: ${kind}`, legacyHost(kind), { ...legacyCapabilities(kind), extent: SECOND_EXTENT })

for (const way of firstOf(LCEL_HOSTS, 2))
  adapterConformance(`withHermes: ${way}`, lcelHost(way), { ...lcelCapabilities(way), extent: SECOND_EXTENT })
