/** `node update-main.ts <json>`: updates three documents together, again and again. */
import { updateTogether } from '../../../../scripts/support/update-together.ts'
import { type ChildConfig, open } from './open-in-child.ts'

export interface UpdateTask extends ChildConfig {
  readonly name: string
  readonly updates: number
  /** Folder of the documents. */
  readonly home: string
}

const { name, updates, home, ...config }: UpdateTask = JSON.parse(process.argv[2] ?? '')
await updateTogether(await open(config), `${home}/`, name, updates)
