/** Opens the storage in a process of its own. */
import type { StorageBackend } from '@hermes/core'
import { sqliteBackend } from '../../src/sqlite-backend.ts'

export const open = async ({ file }: { readonly file: string }): Promise<StorageBackend> => sqliteBackend(file, { timeoutMs: 60_000 })
