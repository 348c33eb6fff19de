/** `node update-main.ts <json>`: updates three documents together, again and again. */
import { updateTogether } from '../../../../scripts/support/update-together.ts'
import { sqliteBackend } from '../../src/sqlite-backend.ts'

export interface UpdateTask {
  readonly file: string
  readonly name: string
  readonly updates: number
}

const { file, name, updates }: UpdateTask = JSON.parse(process.argv[2] ?? '')
await updateTogether(sqliteBackend(file), '', name, updates)
