/** The oldest and the newest supported release of the SDK, with the types of the newest: what the tests use exists in both. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as newest from '@openai/agents'
import * as oldest from '@openai/agents-oldest'

export type Sdk = typeof newest

export interface Release {
  readonly name: string
  readonly sdk: Sdk
  /** The SDK repeats a failed model call by itself. */
  readonly retries: boolean
}

// The SDK does not export its package.json.
const versionOf = (alias: string): string =>
  JSON.parse(readFileSync(join(import.meta.dirname, '../../node_modules', alias, 'package.json'), 'utf8')).version

const nameOf = (alias: string): string => `@openai/agents ${versionOf(alias)}`

export const NEWEST: Release = { name: nameOf('@openai/agents'), sdk: newest, retries: true }
export const OLDEST: Release = { name: nameOf('@openai/agents-oldest'), sdk: oldest as unknown as Sdk, retries: false }
export const RELEASES: readonly Release[] = [NEWEST, OLDEST]

// Traces would be sent to OpenAI.
for (const { sdk } of RELEASES) sdk.setTracingDisabled(true)
