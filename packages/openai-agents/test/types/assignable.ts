/** Wrapped models and tools fit the SDK's own types without a cast, in the oldest and the newest release. Compiled, never run. */
import type { Hermes, HermesHomes, Session } from '@hermes/core'
import * as newest from '@openai/agents'
import * as oldest from '@openai/agents-oldest'
import { hermesTools, hostModel, runWithHermes, withHermes } from '../../src/index.ts'

declare const target: Session | Hermes | HermesHomes
declare const model: newest.Model
declare const oldModel: oldest.Model

export const agents = async () => {
  const agent = new newest.Agent({ name: 'a', model: withHermes(model, target), tools: hermesTools(target) })
  const typed = new newest.Agent<{ readonly user: string }>({ name: 'a', model: withHermes(model, target), tools: hermesTools(target) })
  const old = new oldest.Agent({ name: 'a', model: withHermes(oldModel, target), tools: hermesTools(target) })
  const provided = withHermes(await new newest.OpenAIProvider().getModel('gpt-5'), target, { reviewSettings: { store: false } })
  hostModel(provided)
  const text: string | undefined = (await runWithHermes({ user: 'ada', sessionId: 'main' }, () => newest.run(agent, 'Hello'))).finalOutput
  const stream = await runWithHermes({ sessionId: 'main' }, () => newest.run(agent, 'Hello', { stream: true }))
  return [text, stream.finalOutput, typed, old]
}

export const wrong = () => {
  // @ts-expect-error a name is no model
  withHermes('gpt-5', target)
  // @ts-expect-error there is no such key
  runWithHermes({ userId: 'ada' }, () => undefined)
  // @ts-expect-error there is no such tool
  hermesTools(target, { only: ['memroy'] })
}
