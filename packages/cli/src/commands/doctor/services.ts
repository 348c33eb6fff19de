/** Checks of what the home works with: its settings, a model, the memory provider, a database. */

import type { ConfigNote } from '@hermes/core/config'
import type { Pool } from 'pg'
import { isFailure, messageOf } from '../../answer.ts'
import type { Context } from '../../context.ts'
import { hidePasswords } from '../../terminal/hide-passwords.ts'
import { checkProvider } from '../config/check.ts'
import { loadClient, readAddress } from '../migrate/postgres.ts'
import { type Examine, fine, problem, warning } from './doctor-view.ts'

const toLine = ({ line, key, message }: ConfigNote): string => `line ${line}: ${key === '' ? message : `'${key}' ${message}`}`

export const checkConfig: Examine = async ({ config }) => {
  if (!config.ok) return problem('config', config.error.message, { fix: "'hermes config check' shows every wrong line." })
  const { settings, warnings } = config.value
  const told =
    settings.length === 0
      ? 'config.yaml sets nothing: every setting has its default'
      : `config.yaml sets ${settings.length} of the settings`
  const [first, ...others] = warnings
  if (first === undefined) return fine('config', told)
  const fix = others.length === 0 ? 'Correct this line.' : `Correct it and ${others.length} more, which 'hermes config check' shows.`
  return warning('config', `config.yaml, ${toLine(first)}`, { fix, details: others.map(toLine) })
}

export const checkRecall: Examine = async (context) => {
  const { config } = context
  const name = config.ok ? config.value.config.memory.provider : undefined
  if (!config.ok) return warning('provider', 'unknown, since config.yaml cannot be read')
  if (name === undefined || name.trim() === '') return fine('provider', 'no memory provider is set: past sessions cannot be searched')
  const notes = await checkProvider(config.value, context)
  const [note] = notes
  return note ? problem('provider', note.message, { fix: 'Until then, agents run without it.' }) : fine('provider', `'${name}' can be used`)
}

/** Keys are only said to be set, never shown. */
export const checkModel: Examine = async ({ config, world: { env } }) => {
  const { chooseModel } = await import('../../model/choose-model.ts')
  const named = config.ok ? config.value.config.curator.reviewModel : undefined
  const chosen = await chooseModel(env, { modelName: named, namedBy: 'curator.review_model in config.yaml' })
  if (!('problem' in chosen)) return fine('model', hidePasswords(`${chosen.label}, for hermes review and hermes curator run --consolidate`))
  if (!chosen.isUnset) return warning('model', hidePasswords(chosen.problem), { fix: 'Correct it, or unset it.' })
  return fine('model', 'none in the environment of this shell', {
    details: ['An app brings its own. For hermes review, set ANTHROPIC_API_KEY, OPENAI_API_KEY, OLLAMA_HOST or OPENAI_BASE_URL.'],
  })
}

const CONNECT_LIMIT_MS = 5_000

/** An error of the client may repeat the address. */
const connect = async (pool: Pool): Promise<string | undefined> => {
  try {
    await pool.query('select 1')
    return undefined
  } catch (cause) {
    return hidePasswords(messageOf(cause instanceof AggregateError ? cause.errors[0] : cause))
  } finally {
    await pool.end()
  }
}

/** Undefined if no database is configured. */
export const checkDatabase = async ({ world: { env } }: Context) => {
  const variable = env['DATABASE_URL'] ?? ''
  if (variable === '') return undefined
  const address = readAddress(undefined, variable)
  if (isFailure(address)) return problem('database', address.message)
  const client = loadClient('@hermes/postgres pg')
  if (isFailure(client)) return warning('database', `${address.label}: ${client.message}`)
  const { connectionString, label } = address
  const pool = new client.Pool({ connectionString, max: 1, connectionTimeoutMillis: CONNECT_LIMIT_MS })
  pool.on('error', () => undefined)
  const fault = await connect(pool)
  const fix = 'Check that the server runs, and the user and password in DATABASE_URL.'
  return fault === undefined ? fine('database', `${label} answers`) : problem('database', `${label} cannot be reached: ${fault}`, { fix })
}
