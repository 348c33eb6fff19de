/** The result of a fallible operation: a value or a typed error, never an exception (DESIGN 3, seeds 002 and 004). */
import type { HermesError } from './hermes-error.ts'

export type Result<T, E = HermesError> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E }

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value })

export const err = <E>(error: E): { readonly ok: false; readonly error: E } => ({ ok: false, error })
