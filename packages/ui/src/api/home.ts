/** The home of a request, and what all parts of the API need. */
import type { Hermes, HermesHomes } from '@hermes/core'
import type { EventHub } from './event-hub.ts'

export interface ApiOptions {
  /** Throws a TypeError if the request does not name a valid owner. */
  readonly homeOf: (user: string | undefined, tenant: string | undefined) => Hermes
  /** Undefined for a single home. */
  readonly homes: HermesHomes | undefined
  readonly write: boolean
  readonly label: string | undefined
  readonly hub: EventHub
}

/** Distinguishes the homes of one inspector. */
export const homeKey = (user: string | undefined, tenant: string | undefined): string => JSON.stringify([tenant ?? null, user ?? null])
