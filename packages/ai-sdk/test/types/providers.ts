/** Compiled, never run: a reviewer of the models of each major, and in ai 7 a model of an earlier one. */
import { anthropic } from '@ai-sdk/anthropic'
import { anthropic as anthropicV2 } from '@ai-sdk/anthropic-v2'
import { anthropic as anthropicV3 } from '@ai-sdk/anthropic-v3'
import type { HostModel, Session } from '@hermes/core'
import { type LanguageModel, wrapLanguageModel } from 'ai'
import { hermesMiddleware, hostModel } from '../../src/index.ts'

export const reviewers: readonly HostModel[] = [
  hostModel(anthropicV2('claude')),
  hostModel(anthropicV3('claude')),
  hostModel(anthropic('claude')),
]

export const earlier = (session: Session): LanguageModel =>
  wrapLanguageModel({ model: anthropicV2('claude'), middleware: hermesMiddleware(session) })
