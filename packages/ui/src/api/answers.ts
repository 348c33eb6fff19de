/** JSON answers of the inspector. */
import type { HermesError, Result } from '@hermes/core'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

export const failure = (context: Context, status: ContentfulStatusCode, code: string, message: string): Response =>
  context.json({ error: { code, message } }, status)

const STATUS: Readonly<Partial<Record<HermesError['code'], ContentfulStatusCode>>> = {
  not_found: 404,
  invalid: 400,
  drift: 409,
  locked: 409,
  occupied: 409,
}

/** The value, or the error with its code and what to do next. */
export const answer = <T>(context: Context, result: Result<T>): Response =>
  result.ok ? context.json(result.value) : failure(context, STATUS[result.error.code] ?? 422, result.error.code, result.error.message)
