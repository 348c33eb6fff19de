/** What the providers of this folder store of a turn, and which of it a person wants forgotten. */
import { createHash } from 'node:crypto'
import type { ProviderForgetTarget, ProviderHome, ProviderTurn } from '@hermes/core/provider'

export interface StoredTurn {
  readonly sessionId: string
  readonly text: string
}

/** What embedding models take, about; without half a character at the end. */
const cut = (text: string, chars: number): string => text.slice(0, chars).replace(/[\ud800-\udbff]$/, '')

/** What is said in one message, bounded: people paste whole books. */
export const messageOf = (text: string): string => cut(text, 10_000)

/** What to search for. */
export const queryOf = (text: string): string => cut(text, 2_000)

/** User and agent in one text, so that a question finds its answer. */
export const textOf = ({ user, assistant }: ProviderTurn): string => `User: ${messageOf(user)}\nAssistant: ${messageOf(assistant)}`

/** Recalled text is read long after it was written: `2026-10-03: …`. */
export const dated = (at: number | string | Date, text: string): string => `${new Date(at).toISOString().slice(0, 10)}: ${text}`

export const isForgotten = (target: ProviderForgetTarget, { sessionId, text }: StoredTurn): boolean => {
  if (target.kind === 'all') return true
  return target.kind === 'session' ? target.sessionId === sessionId : target.matches(text)
}

/** A name for the home, for services that allow 100 letters, digits and `-`: 41 characters, the same for the same home. */
export const nameOf = ({ folder }: ProviderHome): string => `hermes-${digest(folder)}`

/** A name for the turn, in the form of a UUID, which most vector stores demand. */
export const uuidOf = ({ folder }: ProviderHome, turnId: string): string =>
  digest(`${folder}\n${turnId}`).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 34)
