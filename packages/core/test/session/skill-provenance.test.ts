/** Which model wrote a skill, and how the turns that loaded it ended, as far as that is known. */
import { describe, expect, it } from 'vitest'
import type { HermesOptions } from '../../src/hermes-options.ts'
import type { HostModel } from '../../src/model/host-model.ts'
import type { TurnMessage } from '../../src/proposal/turn-message.ts'
import { sha256OfText } from '../../src/shared/sha256.ts'
import type { SkillOp } from '../../src/skills/skill-op.ts'
import { inMemoryBackend } from '../../src/storage/in-memory.ts'
import type { StorageBackend } from '../../src/storage/storage-backend.ts'
import { skillText, unwrap } from '../support/skill-library.ts'
import { assistant, openHome, user } from './open-home.ts'

const approving: HermesOptions['gate'] = async () => ({ ok: true, value: { approved: true, reason: '' } })

const reviewer =
  (quote: string, ...ops: readonly SkillOp[]): HostModel =>
  async () => ({
    text: JSON.stringify({
      proposals: ops.map((op) => ({ target: 'skill', op, rationale: 'learned', score: 1, evidence: [{ messageId: null, quote }] })),
    }),
    usage: { inputTokens: 10, outputTokens: 1 },
    model: 'reviewer-1',
  })

const setUp = async (gate: HermesOptions['gate'] = approving, storage: StorageBackend = inMemoryBackend()) => {
  const home = openHome(storage, { gate, nudge: { memoryInterval: 0, skillInterval: 1 } })
  const { hermes } = home
  const content = skillText('deploy', 'Do it.')
  unwrap(await hermes.skillStore().create({ name: 'deploy', content }))
  const own = { filePath: 'SKILL.md', digest: await sha256OfText(content) }
  unwrap(await hermes.usageStore().record('deploy', 'create', { createdBy: 'agent', own }))
  const session = hermes.session('one')
  const call = async (name: string, input: object) => {
    const answer = await session
      .offerTools()
      .find((tool) => tool.name === name)
      ?.execute(input as never)
    await hermes.settled()
    return answer
  }
  /** One turn of two steps; `model` reviews it. */
  const turn = async (text: string, work: () => Promise<unknown>, model?: HostModel) => {
    const prompt: TurnMessage[] = [user(text)]
    session.beginStep(prompt, { modelId: 'agent-1' })
    session.endStep({ prompt, turnFinished: false, calledTools: true, reply: [assistant('One moment.')] })
    await work()
    const reply = [assistant('Done.')]
    session.endStep({ prompt, turnFinished: true, calledTools: false, reply, ...(model ? { model } : {}) })
    await hermes.settled()
  }
  const usage = (name = 'deploy') => hermes.usageStore().get(name)
  const load = () => call('skill_view', { name: 'deploy' })
  return { ...home, call, turn, usage, load }
}

const PATCH: SkillOp = { action: 'patch', name: 'deploy', oldText: 'Do it.', newText: 'Do it on Mondays.' }

describe('the model that wrote a skill', () => {
  it('is the one that a review asked, in the sidecar and in the journal', async () => {
    const { hermes, turn, usage, load } = await setUp()
    const create: SkillOp = { action: 'create', name: 'release', content: skillText('release', 'Releases.') }
    await turn('Deploy it on Mondays', load, reviewer('Deploy it on Mondays', create, PATCH))
    expect(await usage('release')).toMatchObject({ createdBy: 'agent', createdByModel: 'reviewer-1', patchedByModel: null })
    expect(await usage()).toMatchObject({ createdByModel: null, patchedByModel: 'reviewer-1' })
    const records = unwrap(await hermes.journal.list()).filter(({ actor, target }) => actor === 'review' && target === 'skill')
    expect(records.map(({ model }) => model)).toEqual(['reviewer-1', 'reviewer-1'])
  })

  it('is the agent’s own for its tool, as far as the adapter names it', async () => {
    const { call, turn, usage } = await setUp()
    const content = skillText('tidy', 'Tidies.')
    await turn('Tidy up', () => call('skill_manage', { action: 'create', name: 'tidy', content }))
    expect(await usage('tidy')).toMatchObject({ createdByModel: 'agent-1' })
  })
})

describe('what became of a skill that was loaded', () => {
  it('is a success if the turn ended normally', async () => {
    const { turn, usage, load } = await setUp()
    await turn('Deploy', load)
    await turn('Thanks', async () => {})
    expect(await usage()).toMatchObject({ useCount: 1, successCount: 1, correctionCount: 0 })
  })

  it('is a correction if a review changes it at the request of the user', async () => {
    const { turn, usage, load } = await setUp()
    await turn('Deploy', load)
    expect(await usage()).toMatchObject({ successCount: 1 })
    await turn('No, deploy on Mondays only', async () => {}, reviewer('deploy on Mondays only', PATCH))
    expect(await usage()).toMatchObject({ patchCount: 1, successCount: 0, correctionCount: 1 })
  })

  it('is none if the review cites nobody, or the skill was not loaded', async () => {
    const uncited = await setUp()
    await uncited.turn('Deploy', uncited.load, reviewer('what nobody said', PATCH))
    expect(await uncited.usage()).toMatchObject({ patchCount: 1, successCount: 1, correctionCount: 0 })

    const unloaded = await setUp()
    await unloaded.turn('deploy on Mondays only', async () => {}, reviewer('deploy on Mondays only', PATCH))
    expect(await unloaded.usage()).toMatchObject({ correctionCount: 0 })
  })
})
